//! error line 12 E0800 "`workgroupBarrier` must only be called"
// The callee stores what it is given.
fn f(p: ptr<function, u32>, v: u32) {
    *p = v;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    f(&x, lid);
    if x == 0 {
        workgroupBarrier();
    }
}
