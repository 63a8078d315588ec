// The standards-track form: dimensions are override-expressions, i8 and u8 only inside matrix types.
enable subgroup_matrix;
enable f16;
diagnostic(off, subgroup_matrix_uniformity);
override M = 8u;
override N = 8u;
override K: u32 = 8;
override stride = K;
alias Left = subgroup_matrix_left<f32, K, M>;
alias Right = subgroup_matrix_right<f32, N, K>;
alias Result = subgroup_matrix_result<f32, N, M>;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
@group(0) @binding(3) var<storage, read> bytes: array<i32>;
@group(0) @binding(4) var<storage, read_write> sums: array<i32>;
var<workgroup> tile: array<f32, M * K>;
override transposed: bool = false;
@compute @workgroup_size(64)
fn main() {
    var acc = Result();
    for (var k = 0u; k < 64; k += K) {
        let left = subgroupMatrixLoad<Left>(&a, k, transposed, stride);
        let right = subgroupMatrixLoad<Right>(&b, k * N, !transposed, stride);
        acc = subgroupMatrixMultiplyAccumulate(left, right, acc);
    }
    subgroupMatrixStore(&tile, 0, acc, false, N);
    subgroupMatrixStore(&d, 0, acc, transposed, N);
    let i = subgroupMatrixLoad<subgroup_matrix_left<i8, 16, 16>>(&bytes, 0, false, 16);
    let j = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 16>>(&bytes, 64, true, 16);
    var s = subgroupMatrixMultiply<subgroup_matrix_result<i32, 16, 16>>(i, j);
    s = subgroupMatrixMultiplyAccumulate(i, j, s);
    subgroupMatrixStore(&sums, 0, s, false, 16);
}
