//! error line 10 E0806 "the argument `offset` of `subgroupMatrixLoad` must be uniform"
// So is where it is loaded from ...
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(5) var<storage, read> rof: array<f32>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = subgroupMatrixLoad<M>(&rof, lid, false, 8);
}
