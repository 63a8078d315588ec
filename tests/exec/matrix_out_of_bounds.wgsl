//! subgroups 8 32
//! a       f32 8x8 iota 1
//! b       f32 20 marker
//! c       f32 8x8 marker
//! expect  b == values 57 58 59 60 61 62 63 64 0 0 0 0 0 0 0 0 0 0 0 0
//! expect  c == values 57 58 59 60 61 62 63 64 0
//! expect  report oob 2
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// Outside the array: zero on a load, nothing on a store.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let m = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 56, false, 8);
        subgroupMatrixStore(&b, 0, m, false, 8);
        subgroupMatrixStore(&c, 0, m, false, 8);
    }
}
