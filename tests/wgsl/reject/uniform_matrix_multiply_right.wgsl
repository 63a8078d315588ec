//! error line 12 E0806 "the argument `right` of a multiplication of subgroup matrices must be uniform"
// Which of two matrices differs.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
alias L = subgroup_matrix_left<f32, 8, 8>;
alias R = subgroup_matrix_right<f32, 8, 8>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var r: array<R, 2>;
    _ = subgroupMatrixMultiply<f32>(L(), r[lid & 1]);
}
