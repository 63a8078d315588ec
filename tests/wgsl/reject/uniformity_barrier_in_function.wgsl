//! error line 2 E0800
fn g() { workgroupBarrier(); }
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    if i == 0 { g(); }
}
