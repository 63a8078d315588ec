//! error line 7 E0800 "`workgroupBarrier` must only be called"
// The number of iterations differs.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    for (var i = 0u; i < lid; i++) {
        workgroupBarrier();
    }
}
