//! a       f16 8x8 values 30000
//! b       f16 8x8 values 2
//! d       f16 8x8 marker
//! e       f32 8x8 marker
//! expect  d == values inf
//! expect  e == values 480000
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable chromium_experimental_subgroup_matrix;

// Sums kept in f16 leave its range; in f32 they do not.
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> d: array<f16>;
@group(0) @binding(3) var<storage, read_write> e: array<f32>;

@compute @workgroup_size(32)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&a, 0, false, 8);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&b, 0, false, 8);
    subgroupMatrixStore(&d, 0, subgroupMatrixMultiply<f16>(left, right), false, 8);
    subgroupMatrixStore(&e, 0, subgroupMatrixMultiply<f32>(left, right), false, 8);
}
