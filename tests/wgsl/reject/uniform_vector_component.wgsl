//! error line 10 E0800 "`workgroupBarrier` must only be called"
// A component is a part.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var v = vec2u(lid, 0);
    v.x = 0;
    v.y = 0;
    if v.x == 0 {
        workgroupBarrier();
    }
}
