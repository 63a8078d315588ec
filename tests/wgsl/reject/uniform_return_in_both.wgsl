//! error line 9 E0800 "`workgroupBarrier` must only be called"
// Both branches return, one after the barrier.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        return;
    } else {
        workgroupBarrier();
        return;
    }
}
