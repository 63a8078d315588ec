//! error line 6 E0459 "`subgroupMatrixStore` reaches 260 bytes into an array of 256"
enable chromium_experimental_subgroup_matrix;
alias L = subgroup_matrix_left<f32, 8, 4>;
var<workgroup> a: array<f32, 64>;
@compute @workgroup_size(64) fn main() {
    subgroupMatrixStore<row_major>(&a, 33, L(), 8);
}
