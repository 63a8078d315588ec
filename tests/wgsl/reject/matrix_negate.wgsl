//! error line 4 E0318
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
alias R = subgroup_matrix_result<f32, 8, 8>; fn f(a: R) -> R { return -a; }
