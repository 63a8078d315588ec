//! error line 14 E0800 "`workgroupBarrier` must only be called"
// Called by some only.
fn f(p: ptr<function, u32>) {
    *p = 1;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    if lid == 0 {
        f(&x);
    }
    if x == 0 {
        workgroupBarrier();
    }
}
