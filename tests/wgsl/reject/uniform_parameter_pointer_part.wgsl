//! error line 13 E0800 "`workgroupBarrier` must only be called"
// A part of the variable is passed: the rest stays.
fn f(p: ptr<function, u32>) {
    *p = 1;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    a[0] = lid;
    f(&a[1]);
    if a[0] == 0 {
        workgroupBarrier();
    }
}
