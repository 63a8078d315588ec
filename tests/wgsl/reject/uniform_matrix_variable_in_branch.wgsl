//! error line 9 E0805 "the zero value of `m`"
// And the one that a variable starts with.
enable chromium_experimental_subgroup_matrix;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        var m: array<M, 2>;
    }
}
