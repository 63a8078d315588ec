//! error line 10 E0800 "`workgroupBarrier` must only be called"
// A variable takes what differs along.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    x = lid;
    let y = x + 1;
    if y == 0 {
        workgroupBarrier();
    }
}
