//! error line 4 E0453
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
var<private> a: subgroup_matrix_left<f32, 0, 8>;
