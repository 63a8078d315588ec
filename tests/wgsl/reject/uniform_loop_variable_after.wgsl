//! error line 11 E0800 "`workgroupBarrier` must only be called"
// What a loop of different length leaves.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var i = 0u;
    while i < lid {
        i++;
    }
    if i == 0 {
        workgroupBarrier();
    }
}
