//! error line 9 E0805 "the constructor of a subgroup matrix must only"
// Also the zero matrix.
enable chromium_experimental_subgroup_matrix;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        _ = M();
    }
}
