// The same in the standard's form of the extension, loaded by each subgroup.
enable chromium_experimental_subgroup_matrix;
enable subgroups, subgroup_matrix;
var<workgroup> tile: array<f32, 256>;
@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) id: u32) {
    let m = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&tile, 64 * id, false, 8);
    subgroupMatrixStore(&tile, 64 * id, m, false, 8);
}
