//! error line 8 E0800 "`workgroupBarrier` must only be called"
// The else branch is under the same condition.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
    } else {
        workgroupBarrier();
    }
}
