//! subgroups 4 8 16 32 64
//! a       f32 16x8 iota 1
//! b       f32 8x16 marker
//! expect  b == transpose a
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32, 128>;
@group(0) @binding(1) var<storage, read_write> b: array<f32, 128>;

@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        // 16 rows, 8 columns, stored with columns one after the other.
        let m = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 16>>(&a, 0u, false, 8u);
        subgroupMatrixStore(&b, 0u, m, true, 16u);
    }
}
