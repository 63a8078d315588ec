//! error line 7 E0801 "the argument `p` of `workgroupUniformLoad` must be uniform"
// All must load from one place.
var<workgroup> wg: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = workgroupUniformLoad(&wg[lid]);
}
