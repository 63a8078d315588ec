//! error line 6 E0303
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@compute @workgroup_size(32)
fn main() {
    let a = subgroup_matrix_result<u32, 8, 8>(1.0);
}
