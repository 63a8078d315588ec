//! error line 5 E0800 "`workgroupBarrier` must only be called"
// What it points to is needed in the callee.
fn f(p: ptr<function, u32>) {
    if *p == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    f(&x);
}
