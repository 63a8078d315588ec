//! run --dispatch 1,3 --bind 0,0=random:u8:19x32:7 --bind 0,1=iota:f16:64x13 --bind 0,2=zeros:f16:19x13 --bind 0,3=values:u32:19,13,64
// y[m, n] = sum over k of (q[m, k] - 8) * x[k, n]: 4-bit weights, two a byte, low nibble first; N up to 16. The zero point
// is taken off at the end: sum(q * x) - 8 * sum(x). K a multiple of 16.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<f16>;
@group(0) @binding(2) var<storage, read_write> y: array<f16>;
@group(0) @binding(3) var<uniform> params: Params;

alias Acc = f32;
const TM = 8u;
const TN = 16u;
const TK = 16u;

var<workgroup> q_tile: array<f16, TM * TK>;
var<workgroup> x_tile: array<f16, TK * TN>;
var<workgroup> y_tile: array<Acc, TM * TN>;
var<workgroup> x_sum: array<f32, TN>;

@compute @workgroup_size(64)
fn mul_mat_q4(@builtin(workgroup_id) wg: vec3<u32>,
              @builtin(local_invocation_index) tid: u32,
              @builtin(subgroup_id) sg: u32) {
    let m0 = wg.y * TM;
    let n0 = wg.x * TN;
    var acc: subgroup_matrix_result<Acc, TN, TM>;
    if (tid < TN) {
        x_sum[tid] = 0.0;
    }
    for (var k0 = 0u; k0 < params.k; k0 += TK) {
        // 8 nibbles a word: 16 words hold the tile
        if (tid < TM * TK / 8u) {
            let r = m0 + tid / 2u;
            var word = 0u;
            if (r < params.m) {
                word = q[(r * params.k + k0) / 8u + tid % 2u];
            }
            for (var i = 0u; i < 8u; i++) {
                q_tile[tid * 8u + i] = f16(extractBits(word, i * 4u, 4u));
            }
        }
        for (var i = tid; i < TK * TN; i += 64u) {
            let c = n0 + i % TN;
            x_tile[i] = 0.0h;
            if (c < params.n) {
                x_tile[i] = x[(k0 + i / TN) * params.n + c];
            }
        }
        workgroupBarrier();
        if (tid < TN) {
            for (var i = 0u; i < TK; i++) {
                x_sum[tid] += f32(x_tile[i * TN + tid]);
            }
        }
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f16, TK, TM>>(&q_tile, 0u, false, TK);
            let r = subgroupMatrixLoad<subgroup_matrix_right<f16, TN, TK>>(&x_tile, 0u, false, TN);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore(&y_tile, 0u, acc, false, TN);
    }
    workgroupBarrier();
    for (var i = tid; i < TM * TN; i += 64u) {
        let r = m0 + i / TN;
        let c = n0 + i % TN;
        if (r < params.m && c < params.n) {
            y[r * params.n + c] = f16(f32(y_tile[i]) - 8.0 * x_sum[i % TN]);
        }
    }
}
