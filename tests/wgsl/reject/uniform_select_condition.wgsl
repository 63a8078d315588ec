//! error line 7 E0800 "`workgroupBarrier` must only be called"
// Its condition counts.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if select(1u, 2u, lid == 3) == 1 {
        workgroupBarrier();
    }
}
