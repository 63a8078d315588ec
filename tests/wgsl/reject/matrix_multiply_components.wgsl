//! error line 6 E0460
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@compute @workgroup_size(32)
fn main() {
    let a = subgroupMatrixMultiply<f32>(subgroup_matrix_left<f32, 8, 8>(), subgroup_matrix_right<u32, 8, 8>());
}
