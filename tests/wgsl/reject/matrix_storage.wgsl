//! error line 4 E0221
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@group(0) @binding(0) var<storage> a: array<subgroup_matrix_left<f32, 8, 8>>;
