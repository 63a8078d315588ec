//! error line 11 E0800 "`workgroupBarrier` must only be called"
// The continuing block belongs to the loop.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        if lid == 0 {
            break;
        }
        continuing {
            workgroupBarrier();
        }
    }
}
