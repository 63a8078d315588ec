//! error line 9 E0800 "`workgroupBarrier` must only be called"
// x += y keeps x.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    x *= 0;
    if x == 0 {
        workgroupBarrier();
    }
}
