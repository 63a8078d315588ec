//! error line 14 E0800 "`workgroupBarrier` must only be called"
// What the right side may do to a variable.
fn f(p: ptr<function, u32>) -> bool {
    *p = 1;
    return true;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    if lid == 0 && f(&x) {
    }
    if x == 0 {
        workgroupBarrier();
    }
}
