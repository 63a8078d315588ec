//! subgroups 4 8 16 32 64 128
//! a       u8 16x32 random 4
//! b       u8 32x8 random 5
//! c       u32 16x8 random 6
//! d       u32 16x8 marker
//! expect  d == a * b + c
//! expect  a unchanged
//! expect  c unchanged
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read> c: array<u32>;
@group(0) @binding(3) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<u8, 32, 16>>(&a, 0, false, 32);
        let right = subgroupMatrixLoad<subgroup_matrix_right<u8, 8, 32>>(&b, 0, false, 8);
        let addend = subgroupMatrixLoad<subgroup_matrix_result<u32, 8, 16>>(&c, 0, false, 8);
        let sum = subgroupMatrixMultiplyAccumulate(left, right, addend);
        subgroupMatrixStore(&d, 0, sum, false, 8);
    }
}
