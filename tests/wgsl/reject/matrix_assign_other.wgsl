//! error line 7 E0303
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@compute @workgroup_size(32)
fn main() {
    var a: subgroup_matrix_left<f32, 8, 8>;
    a = subgroup_matrix_left<f32, 8, 16>();
}
