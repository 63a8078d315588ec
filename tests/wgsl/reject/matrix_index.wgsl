//! error line 4 E0318
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
fn f(a: subgroup_matrix_left<f32, 8, 8>) -> f32 { return a[0]; }
