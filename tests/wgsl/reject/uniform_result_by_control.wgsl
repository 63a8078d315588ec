//! error line 13 E0800 "`workgroupBarrier` must only be called"
// Which return is taken depends on the argument.
fn f(n: u32) -> u32 {
    if n == 0 {
        return 1;
    }
    return 1;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if f(lid) == 0 {
        workgroupBarrier();
    }
}
