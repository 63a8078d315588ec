//! subgroups 8 32
//! a       i8 8x64 values -128
//! b       i8 64x16 values -128 127 -128
//! c       i32 8x16 iota -5 3
//! d       i32 8x16 marker
//! expect  d == a * b + c
//! expect  a unchanged
//! expect  c unchanged
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read> c: array<i32>;
@group(0) @binding(3) var<storage, read_write> d: array<i32>;

@compute @workgroup_size(128)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<i8, 64, 8>>(&a, 0, false, 64);
        let right = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 64>>(&b, 0, false, 16);
        let addend = subgroupMatrixLoad<subgroup_matrix_result<i32, 16, 8>>(&c, 0, false, 16);
        let sum = subgroupMatrixMultiplyAccumulate(left, right, addend);
        subgroupMatrixStore(&d, 0, sum, false, 16);
    }
}
