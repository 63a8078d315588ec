// Planted: odd stride.
//! run --dispatch 2,2 --bind 0,0=random:f16:45x51:1 --bind 0,1=random:f16:37x51:2 --bind 0,2=zeros:f32:45x37 --bind 0,3=values:u32:45,37,51
// D[m, n] = sum over k of W[m, k] * X[n, k] (both operands row-major along k, as ggml's mul_mat), f16 staged.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> src0: array<f16>;
@group(0) @binding(1) var<storage, read> src1: array<f16>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const WG_SIZE = 128u;
const TILE_M = 32u;
const TILE_N = 32u;
const TILE_K = 32u;
const SG_M = 16u;
const SG_N = 16u;
const SG_K = 16u;
const SHMEM_PAD = 1u;
const PITCH = TILE_K + SHMEM_PAD;
const TILES = (TILE_M / SG_M) * (TILE_N / SG_N);

var<workgroup> shmem0: array<f16, TILE_M * PITCH>;
var<workgroup> shmem1: array<f16, TILE_N * PITCH>;
var<workgroup> shmem_d: array<f32, TILE_M * TILE_N>;

fn init_src0(m0: u32, k0: u32, tid: u32) {
    for (var i = tid; i < TILE_M * TILE_K; i += WG_SIZE) {
        let r = i / TILE_K;
        let q = i % TILE_K;
        let inside = m0 + r < params.m && k0 + q < params.k;
        var v = 0.0h;
        if (inside) {
            v = src0[(m0 + r) * params.k + k0 + q];
        }
        shmem0[r * PITCH + q] = v;
    }
}

fn init_src1(n0: u32, k0: u32, tid: u32) {
    for (var i = tid; i < TILE_N * TILE_K; i += WG_SIZE) {
        let r = i / TILE_K;
        let q = i % TILE_K;
        let inside = n0 + r < params.n && k0 + q < params.k;
        var v = 0.0h;
        if (inside) {
            v = src1[(n0 + r) * params.k + k0 + q];
        }
        shmem1[r * PITCH + q] = v;
    }
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) wg_id: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let m0 = wg_id.y * TILE_M;
    let n0 = wg_id.x * TILE_N;
    var acc: array<subgroup_matrix_result<f32, SG_N, SG_M>, TILES>;

    for (var k0 = 0u; k0 < params.k; k0 += TILE_K) {
        init_src0(m0, k0, tid);
        init_src1(n0, k0, tid);
        workgroupBarrier();
        for (var t = sg; t < TILES; t += sgs) {
            let r = t / 2u * SG_M;
            let c = t % 2u * SG_N;
            for (var kk = 0u; kk < TILE_K; kk += SG_K) {
                let l = subgroupMatrixLoad<subgroup_matrix_left<f16, SG_K, SG_M>>(&shmem0, r * PITCH + kk, false, PITCH); // <- S0202
                let x = subgroupMatrixLoad<subgroup_matrix_right<f16, SG_N, SG_K>>(&shmem1, c * PITCH + kk, true, PITCH); // <- S0202
                acc[t] = subgroupMatrixMultiplyAccumulate(l, x, acc[t]);
            }
        }
        workgroupBarrier();
    }
    for (var t = sg; t < TILES; t += sgs) {
        subgroupMatrixStore(&shmem_d, t / 2u * SG_M * TILE_N + t % 2u * SG_N, acc[t], false, TILE_N);
    }
    workgroupBarrier();
    for (var i = tid; i < TILE_M * TILE_N; i += WG_SIZE) {
        let r = m0 + i / TILE_N;
        let c = n0 + i % TILE_N;
        if (r < params.m && c < params.n) {
            dst[r * params.n + c] = shmem_d[i];
        }
    }
}
