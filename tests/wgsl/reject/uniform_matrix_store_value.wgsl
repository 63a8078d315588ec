//! error line 15 E0806 "the argument `value` of `subgroupMatrixStore` must be uniform"
// A matrix that some have replaced is no matrix of the subgroup.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
var<workgroup> wgf: array<f32, 256>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var m = M();
    let other = M(1.0);
    if lid == 0 {
        m = other;
    }
    subgroupMatrixStore(&wgf, 0, m, false, 8);
}
