//! subgroups 4 8 16 32 64 128
//! a       f16 8x32 random 1
//! b       f16 32x16 random 2
//! c       f16 8x16 random 3
//! d       f16 8x16 marker
//! expect  d == a * b + c
//! expect  a unchanged
//! expect  c unchanged
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read> c: array<f16>;
@group(0) @binding(3) var<storage, read_write> d: array<f16>;

@compute @workgroup_size(128)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 32, 8>>(&a, 0, false, 32);
        let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 32>>(&b, 0, false, 16);
        let addend = subgroupMatrixLoad<subgroup_matrix_result<f16, 16, 8>>(&c, 0, false, 16);
        let sum = subgroupMatrixMultiplyAccumulate(left, right, addend);
        subgroupMatrixStore(&d, 0, sum, false, 16);
    }
}
