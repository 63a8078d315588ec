//! error line 7 E0800 "`workgroupBarrier` must only be called"
// An input that differs.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
    if gid.x < 100 {
        workgroupBarrier();
    }
}
