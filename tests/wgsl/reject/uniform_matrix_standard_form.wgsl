//! error line 8 E0806 "the argument `offset` of `subgroupMatrixLoad` must be uniform"
// The same in the standard's form of the extension, by a number of the invocation.
enable chromium_experimental_subgroup_matrix;
enable subgroups, subgroup_matrix;
var<workgroup> tile: array<f32, 256>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) id: u32) {
    let m = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&tile, 64 * id, false, 8);
}
