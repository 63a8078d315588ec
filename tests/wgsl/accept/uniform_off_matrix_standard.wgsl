// Its name in the standard's form.
enable chromium_experimental_subgroup_matrix;
enable subgroups, subgroup_matrix;
diagnostic(off, subgroup_matrix_uniformity);
var<workgroup> tile: array<f32, 256>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) id: u32) {
    let m = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&tile, 64 * id, false, 8);
}
