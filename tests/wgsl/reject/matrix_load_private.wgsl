//! error line 7 E0456
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
var<private> f: array<f32, 64>;
@compute @workgroup_size(32)
fn main() {
    let a = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&f, 0, false, 8);
}
