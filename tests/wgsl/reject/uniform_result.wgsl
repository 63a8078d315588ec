//! error line 10 E0800 "`workgroupBarrier` must only be called"
// The result follows the argument.
fn f(n: u32) -> u32 {
    return n + 1;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if f(lid) == 0 {
        workgroupBarrier();
    }
}
