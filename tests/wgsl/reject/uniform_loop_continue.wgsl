//! error line 10 E0800 "`workgroupBarrier` must only be called"
// Some skip the rest of the iteration.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    for (var i = 0u; i < 10; i++) {
        if lid == i {
            continue;
        }
        workgroupBarrier();
    }
}
