//! error line 11 E0800 "`workgroupBarrier` must only be called"
// Which element the pointer stands for differs.
fn f(p: ptr<function, u32>) -> u32 {
    return *p;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    if f(&a[lid & 3]) == 0 {
        workgroupBarrier();
    }
}
