//! error line 10 E0800 "`workgroupBarrier` must only be called"
// Writing a part keeps the rest, though it is all.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 1>;
    a[0] = lid;
    a[0] = 0;
    if a[0] == 0 {
        workgroupBarrier();
    }
}
