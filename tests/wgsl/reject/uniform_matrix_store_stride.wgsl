//! error line 10 E0806 "the argument `stride` of `subgroupMatrixStore` must be uniform"
// Likewise for stores.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
var<workgroup> wgf: array<f32, 256>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    subgroupMatrixStore(&wgf, 0, M(), false, 8 + lid);
}
