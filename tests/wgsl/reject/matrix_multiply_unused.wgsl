//! error line 8 E0514
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
alias L = subgroup_matrix_left<f32, 8, 8>; alias R = subgroup_matrix_right<f32, 8, 8>;
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@compute @workgroup_size(32)
fn main() {
    subgroupMatrixMultiply<f32>(L(), R());
}
