//! error line 9 E0800 "`workgroupBarrier` must only be called"
// Declared anew in each iteration, where not all come.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    for (var i = 0u; i < lid; i++) {
        var x = 0u;
        if x == 0 {
            workgroupBarrier();
        }
    }
}
