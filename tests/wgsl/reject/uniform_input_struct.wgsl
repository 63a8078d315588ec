//! error line 10 E0800 "`workgroupBarrier` must only be called"
// One member that differs makes the struct differ.
struct In {
    @builtin(workgroup_id) wid: vec3u,
    @builtin(local_invocation_index) lid: u32,
}
@compute @workgroup_size(64)
fn main(in: In) {
    if in.wid.x == 0 {
        workgroupBarrier();
    }
}
