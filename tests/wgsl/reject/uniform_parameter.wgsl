//! error line 5 E0800 "`workgroupBarrier` must only be called"
// The parameter decides in the callee.
fn f(n: u32) {
    if n == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    f(lid);
}
