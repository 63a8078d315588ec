//! error line 8 E0800 "`workgroupBarrier` must only be called"
// A selector that differs.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    switch lid {
        case 1: {
            workgroupBarrier();
        }
        default: {
        }
    }
}
