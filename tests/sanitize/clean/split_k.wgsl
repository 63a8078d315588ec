// Split K: each workgroup adds its part in fixed point by atomics, so that any order gives the same bits.
//! run --bind 0,0=random:f32:8x64:1 --bind 0,1=random:f32:64x8:2 --bind 0,2=zeros:i32:64 --dispatch 4
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<atomic<i32>>;

const K = 64u;
const PART = 16u;
var<workgroup> block: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    if (sg == 0u) {
        var acc: subgroup_matrix_result<f32, 8, 8>;
        for (var k = wg.x * PART; k < (wg.x + 1u) * PART; k += 8u) {
            let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&a, k, false, K);
            let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&b, k * 8u, false, 8u);
            acc = subgroupMatrixMultiplyAccumulate(left, right, acc);
        }
        subgroupMatrixStore(&block, 0u, acc, false, 8u);
    }
    workgroupBarrier();
    atomicAdd(&c[tid], i32(round(block[tid] * 65536.0)));
}
