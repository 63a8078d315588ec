//! error line 4 E0452
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
var<private> a: subgroup_matrix_left<bool, 8, 8>;
