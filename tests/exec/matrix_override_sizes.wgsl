//! set     M 16
//! set     K 4
//! subgroups 8 32
//! a       f32 16x4 random 1
//! b       f32 4x8 random 2
//! d       f32 16x8 marker
//! expect  d == a * b
diagnostic(off, subgroup_matrix_uniformity);
enable subgroup_matrix;

// The standard form: sizes may be overrides, the product names its type.
override M: u32;
override K: u32 = 8;
const N = 8;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(32)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f32, K, M>>(&a, 0, false, K);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f32, N, K>>(&b, 0, false, N);
    let sum = subgroupMatrixMultiply<subgroup_matrix_result<f32, N, M>>(left, right);
    subgroupMatrixStore(&d, 0, sum, false, N);
}
