//! error line 7 E0800 "`workgroupBarrier` must only be called"
// What the condition is does not matter, only where it comes from.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid * 0 != 0 {
        workgroupBarrier();
    }
}
