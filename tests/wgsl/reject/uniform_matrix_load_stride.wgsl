//! error line 10 E0806 "the argument `stride` of `subgroupMatrixLoad` must be uniform"
// ... and how far its rows are apart.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(5) var<storage, read> rof: array<f32>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = subgroupMatrixLoad<M>(&rof, 0, false, lid + 8);
}
