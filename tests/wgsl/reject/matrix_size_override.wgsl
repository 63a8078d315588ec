//! error line 5 E0306
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
override n = 8;
var<private> a: subgroup_matrix_left<f32, n, 8>;
