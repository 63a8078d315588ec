//! error line 7 E0800 "`workgroupBarrier` must only be called"
// The loop ends at different times.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        workgroupBarrier();
        continuing {
            break if lid == 0;
        }
    }
}
