//! error line 4 E0800 "`workgroupBarrier` must only be called"
// Three functions down.
fn c() {
    workgroupBarrier();
}
fn b() {
    c();
}
fn a() {
    b();
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        a();
    }
}
