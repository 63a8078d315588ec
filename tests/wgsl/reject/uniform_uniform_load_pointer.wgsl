//! error line 5 E0801 "the argument `p` of `workgroupUniformLoad` must be uniform"
// Also through a pointer parameter.
var<workgroup> wg: array<u32, 64>;
fn f(p: ptr<workgroup, u32>) {
    _ = workgroupUniformLoad(p);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    f(&wg[lid]);
}
