//! error line 4 E0800 "`workgroupBarrier` must only be called"
// The right side runs for some only.
fn f() -> bool {
    workgroupBarrier();
    return true;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 && f() {
    }
}
