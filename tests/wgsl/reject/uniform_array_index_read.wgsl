//! error line 8 E0800 "`workgroupBarrier` must only be called"
// Which element is read differs.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    if a[lid & 3] == 0 {
        workgroupBarrier();
    }
}
