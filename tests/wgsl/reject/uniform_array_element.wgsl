//! error line 9 E0800 "`workgroupBarrier` must only be called"
// An array is one value.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    a[1] = lid;
    if a[0] == 0 {
        workgroupBarrier();
    }
}
