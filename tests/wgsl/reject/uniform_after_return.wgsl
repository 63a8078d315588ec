//! error line 9 E0800 "`workgroupBarrier` must only be called"
// Some invocations have returned.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid > 31 {
        return;
    }
    workgroupBarrier();
}
