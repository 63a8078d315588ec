//! error line 9 E0800 "`workgroupBarrier` must only be called"
// Which element is written differs.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    a[lid] = 1;
    if a[0] == 0 {
        workgroupBarrier();
    }
}
