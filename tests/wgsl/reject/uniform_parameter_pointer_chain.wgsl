//! error line 15 E0800 "`workgroupBarrier` must only be called"
// Through two functions.
fn inner(p: ptr<function, u32>, v: u32) {
    *p = v;
}
fn outer(p: ptr<function, u32>, v: u32) {
    inner(p, v);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    outer(&x, lid);
    if x == 0 {
        workgroupBarrier();
    }
}
