//! error line 13 E0800 "`workgroupBarrier` must only be called"
// Some invocations return from a switch.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    switch lid {
        case 0: {
            return;
        }
        default: {
        }
    }
    workgroupBarrier();
}
