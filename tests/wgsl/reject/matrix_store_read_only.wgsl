//! error line 7 E0456
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@group(0) @binding(0) var<storage, read> f: array<f32>;
@compute @workgroup_size(32)
fn main() {
    subgroupMatrixStore(&f, 0, subgroup_matrix_result<f32, 8, 8>(), false, 8);
}
