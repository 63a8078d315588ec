//! error line 6 E0459 "the stride of `subgroupMatrixLoad` is 28 bytes, and a row of the matrix takes 32"
enable chromium_experimental_subgroup_matrix;
alias L = subgroup_matrix_left<f32, 8, 4>;
@group(0) @binding(0) var<storage> a: array<f32>;
@compute @workgroup_size(64) fn main() {
    let m = subgroupMatrixLoad<L, row_major>(&a, 0, 7);
}
