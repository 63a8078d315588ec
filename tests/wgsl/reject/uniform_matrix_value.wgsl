//! error line 8 E0806 "the argument `value` of the constructor of a subgroup matrix must be uniform"
// What fills it is one value.
enable chromium_experimental_subgroup_matrix;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = M(f32(lid));
}
