//! error line 7 E0456
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@group(0) @binding(0) var<storage> f: f32;
@compute @workgroup_size(32)
fn main() {
    let a = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&f, 0, false, 8);
}
