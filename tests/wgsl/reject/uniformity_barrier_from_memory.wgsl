//! error line 6 E0800
var<workgroup> w: u32;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    w = i;
    if w > 3 { workgroupBarrier(); }
}
