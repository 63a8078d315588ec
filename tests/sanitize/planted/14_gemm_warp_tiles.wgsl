// Planted: assumed subgroup size 32.
//! run --subgroup-size 64 --dispatch 3,2 --bind 0,0=random:f32:27x24:1 --bind 0,1=random:f32:24x41:2 --bind 0,2=zeros:f32:27x41 --bind 0,3=values:u32:27,41,24
//! also S0901
// CUTLASS-like: a 16x16 block of C a workgroup, four warps, one 8x8 tile each. K a multiple of 8.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Problem {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> B: array<f32>;
@group(0) @binding(2) var<storage, read_write> C: array<f32>;
@group(0) @binding(3) var<uniform> problem: Problem;

const BLOCK = 16u;
const DEPTH = 8u;
const WARP_SIZE = 32u;
const THREADS = 128u;

var<workgroup> sA: array<f32, BLOCK * DEPTH>;
var<workgroup> sB: array<f32, DEPTH * BLOCK>;
var<workgroup> sC: array<f32, BLOCK * BLOCK>;

@compute @workgroup_size(THREADS)
fn gemm(@builtin(workgroup_id) cta: vec3<u32>,
        @builtin(local_invocation_index) thread: u32) {
    let warp = thread / WARP_SIZE;
    let block_row = cta.y * BLOCK;
    let block_col = cta.x * BLOCK;
    let wr = warp / 2u * 8u;
    let wc = warp % 2u * 8u;
    var acc: subgroup_matrix_result<f32, 8, 8>;

    for (var k0 = 0u; k0 < problem.k; k0 += DEPTH) {
        let ar = block_row + thread / DEPTH;
        sA[thread] = 0.0;
        if (ar < problem.m) {
            sA[thread] = A[ar * problem.k + k0 + thread % DEPTH];
        }
        let bc = block_col + thread % BLOCK;
        sB[thread] = 0.0;
        if (bc < problem.n) {
            sB[thread] = B[(k0 + thread / BLOCK) * problem.n + bc];
        }
        workgroupBarrier();
        let fa = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&sA, wr * DEPTH, false, DEPTH);
        let fb = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&sB, wc, false, BLOCK); // <- S0404
        acc = subgroupMatrixMultiplyAccumulate(fa, fb, acc);
        workgroupBarrier();
    }
    subgroupMatrixStore(&sC, wr * BLOCK + wc, acc, false, BLOCK); // <- S0404
    workgroupBarrier();
    for (var i = thread; i < BLOCK * BLOCK; i += THREADS) {
        let r = block_row + i / BLOCK;
        let c = block_col + i % BLOCK;
        if (r < problem.m && c < problem.n) {
            C[r * problem.n + c] = sC[i];
        }
    }
}
