//! error line 7 E0800 "`workgroupBarrier` must only be called"
// A condition on an invocation's own number.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        workgroupBarrier();
    }
}
