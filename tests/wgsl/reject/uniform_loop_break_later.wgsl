//! error line 7 E0800 "`workgroupBarrier` must only be called"
// A break at the end of the body decides who comes back to its start.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    for (var i = 0u; i < 10; i++) {
        workgroupBarrier();
        if lid + i > 7 {
            break;
        }
    }
}
