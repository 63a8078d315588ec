//! error line 4 E0800 "`workgroupBarrier` must only be called"
// The barrier is in a function that not all call.
fn f() {
    workgroupBarrier();
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        f();
    }
}
