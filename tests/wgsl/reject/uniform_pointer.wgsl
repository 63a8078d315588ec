//! error line 10 E0800 "`workgroupBarrier` must only be called"
// A pointer is the variable.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    let p = &x;
    *p = lid;
    if x == 0 {
        workgroupBarrier();
    }
}
