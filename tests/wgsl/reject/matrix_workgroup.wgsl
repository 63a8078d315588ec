//! error line 4 E0221
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
var<workgroup> a: subgroup_matrix_left<f32, 8, 8>;
