//! error line 9 E0806 "the argument `value` of `subgroupMatrixScalarAdd` must be uniform"
// A scalar for the whole matrix.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = subgroupMatrixScalarAdd(M(), f32(lid));
}
