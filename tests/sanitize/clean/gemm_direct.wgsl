// Tiles straight from storage, one subgroup a tile of C, i8 inputs in 32-bit words.
//! run --bind 0,0=random:i8:32x64:1 --bind 0,1=random:i8:64x16:2 --bind 0,2=zeros:i32:32x16 --dispatch 2,4 --subgroup-size 32
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;

const N = 16u;
const K = 64u;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) wg: vec3<u32>) {
    var acc: subgroup_matrix_result<i32, 8, 8>;
    for (var k = 0u; k < K; k += 32u) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<i8, 32, 8>>(&a, wg.y * 8u * K + k, false, K);
        let right = subgroupMatrixLoad<subgroup_matrix_right<i8, 8, 32>>(&b, k * N + wg.x * 8u, false, N);
        acc = subgroupMatrixMultiplyAccumulate(left, right, acc);
    }
    subgroupMatrixStore(&c, wg.y * 8u * N + wg.x * 8u, acc, false, N);
}
