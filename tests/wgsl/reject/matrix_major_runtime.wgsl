//! error line 8 E0458
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@compute @workgroup_size(32)
fn main() {
    var major = f[0] > 1;
    let a = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&f, 0, major, 8);
}
