// All members are uniform.
struct In {
    @builtin(workgroup_id) wid: vec3u,
    @builtin(num_workgroups) n: vec3u,
}
@compute @workgroup_size(64)
fn main(in: In) {
    if in.wid.x == in.n.x {
        workgroupBarrier();
    }
}
