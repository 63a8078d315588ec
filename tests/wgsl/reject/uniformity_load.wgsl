//! error line 5 E0801
var<workgroup> w: array<u32, 32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    _ = workgroupUniformLoad(&w[i]);
}
