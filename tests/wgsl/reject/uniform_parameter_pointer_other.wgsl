//! error line 13 E0800 "`workgroupBarrier` must only be called"
// From one pointer to another.
fn f(p: ptr<function, u32>, q: ptr<function, u32>) {
    *q = *p + 1;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    var y = 0u;
    f(&x, &y);
    if y == 0 {
        workgroupBarrier();
    }
}
