//! error line 12 E0800 "`workgroupBarrier` must only be called"
// Some invocations leave the function from a loop.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        if lid == 0 {
            return;
        }
        break;
    }
    workgroupBarrier();
}
