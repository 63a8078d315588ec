//! error line 4 E0206
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
var<private> a: subgroup_matrix_left<f16, 8, 8>;
