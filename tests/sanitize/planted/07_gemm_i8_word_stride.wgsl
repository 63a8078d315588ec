// Planted: odd stride.
//! run --dispatch 3,2 --bind 0,0=random:i8:32x96:1 --bind 0,1=random:i8:96x48:2 --bind 0,2=zeros:i32:32x48 --bind 0,3=values:u32:32,48,96
// q_gemm: C[M, N] (i32) = A[M, K] (i8) * B[K, N] (i8). M and N multiples of 16, K of 32.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Uniforms {
    M: u32,
    N: u32,
    K: u32,
}

@group(0) @binding(0) var<storage, read> input_a: array<i32>;
@group(0) @binding(1) var<storage, read> input_b: array<i32>;
@group(0) @binding(2) var<storage, read_write> output: array<i32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

const subtile_rows = 16u;
const subtile_cols = 16u;
const subtile_depth = 32u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(subgroup_id) sg: u32) {
    let a_base = wid.y * subtile_rows * uniforms.K;
    let b_base = wid.x * subtile_cols;
    let words = uniforms.K / 4u;
    if (sg == 0u) {
        var acc: subgroup_matrix_result<i32, 16, 16>;
        for (var k = 0u; k < uniforms.K; k += subtile_depth) {
            let ma = subgroupMatrixLoad<subgroup_matrix_left<i8, 32, 16>>(&input_a, a_base + k, false, words); // <- S0201
            let mb = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 32>>(&input_b, b_base + k * uniforms.N, false, uniforms.N);
            acc = subgroupMatrixMultiplyAccumulate(ma, mb, acc);
        }
        subgroupMatrixStore(&output, wid.y * subtile_rows * uniforms.N + b_base, acc, false, uniforms.N);
    }
}
