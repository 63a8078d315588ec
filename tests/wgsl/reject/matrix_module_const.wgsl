//! error line 4 E0462
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
const a = subgroup_matrix_result<f32, 8, 8>();
