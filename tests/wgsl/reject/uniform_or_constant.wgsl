//! error line 7 E0800 "`workgroupBarrier` must only be called"
// `true ||` does not hide what follows.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if true || lid == 0 {
        workgroupBarrier();
    }
}
