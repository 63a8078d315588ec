//! error line 11 E0800 "`workgroupBarrier` must only be called"
// The same constant, but not for all.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    if lid == 0 {
        x = 1;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
