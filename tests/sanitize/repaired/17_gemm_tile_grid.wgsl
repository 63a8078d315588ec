//! run --dispatch 3,2 --bind 0,0=random:f32:45x27:1 --bind 0,1=random:f32:27x39:2 --bind 0,2=zeros:f32:45x39 --bind 0,3=values:u32:45,39,27
// 32 x 16 blocks of C, 8 tiles of 8x8 shared among the subgroups.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> p: Params;

const WG = 128u;
const TILES_M = 4u;
const TILES_N = 2u;
const TILES = TILES_M * TILES_N;
const BM = TILES_M * 8u;
const BN = TILES_N * 8u;
const BK = 16u;

var<workgroup> as_: array<f32, BM * BK>;
var<workgroup> bs: array<f32, BK * BN>;
var<workgroup> cs: array<f32, BM * BN>;

// (row, column) of a tile in the block
fn tile_of(t: u32) -> vec2<u32> {
    return vec2<u32>(t / TILES_N, t % TILES_N) * 8u;
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let m0 = wg.y * BM;
    let n0 = wg.x * BN;
    var acc: array<subgroup_matrix_result<f32, 8, 8>, TILES>;
    for (var k0 = 0u; k0 < p.k; k0 += BK) {
        for (var i = tid; i < BM * BK; i += WG) {
            let inside = m0 + i / BK < p.m && k0 + i % BK < p.k;
            as_[i] = 0.0;
            if (inside) {
                as_[i] = a[(m0 + i / BK) * p.k + k0 + i % BK];
            }
        }
        for (var i = tid; i < BK * BN; i += WG) {
            let inside = k0 + i / BN < p.k && n0 + i % BN < p.n;
            bs[i] = 0.0;
            if (inside) {
                bs[i] = b[(k0 + i / BN) * p.n + n0 + i % BN];
            }
        }
        workgroupBarrier();
        for (var t = sg; t < TILES; t += sgs) {
            let at = tile_of(t);
            for (var kk = 0u; kk < BK; kk += 8u) {
                let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&as_, at.x * BK + kk, false, BK);
                let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&bs, kk * BN + at.y, false, BN);
                acc[t] = subgroupMatrixMultiplyAccumulate(l, r, acc[t]);
            }
        }
        workgroupBarrier();
    }
    for (var t = sg; t < TILES; t += sgs) {
        let at = tile_of(t);
        subgroupMatrixStore(&cs, at.x * BN + at.y, acc[t], false, BN);
    }
    workgroupBarrier();
    for (var i = tid; i < BM * BN; i += WG) {
        if (m0 + i / BN < p.m && n0 + i % BN < p.n) {
            c[(m0 + i / BN) * p.n + n0 + i % BN] = cs[i];
        }
    }
}
