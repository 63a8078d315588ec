//! error line 5 E0233
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@fragment
fn main() -> @location(0) subgroup_matrix_result<f32, 8, 8> { return subgroup_matrix_result<f32, 8, 8>(); }
