//! error line 12 E0806 "the argument `acc` of a multiplication of subgroup matrices must be uniform"
// The matrix added to counts too.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
alias L = subgroup_matrix_left<f32, 8, 8>;
alias R = subgroup_matrix_right<f32, 8, 8>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var m: array<M, 2>;
    _ = subgroupMatrixMultiplyAccumulate(L(), R(), m[lid & 1]);
}
