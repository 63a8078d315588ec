//! subgroups 4 8 16 32 64 128
//! a       f16 16x32 random 4
//! b       f16 32x8 random 5
//! c       f32 16x8 random 6
//! d       f32 16x8 marker
//! expect  d == a * b + c
//! expect  a unchanged
//! expect  c unchanged
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 32, 16>>(&a, 0, false, 32);
        let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 32>>(&b, 0, false, 8);
        let addend = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 16>>(&c, 0, false, 8);
        let sum = subgroupMatrixMultiplyAccumulate(left, right, addend);
        subgroupMatrixStore(&d, 0, sum, false, 8);
    }
}
