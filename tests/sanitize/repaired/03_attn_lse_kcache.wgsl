//! run --dispatch 2,3 --bind 0,0=random:f32:3x16x24:5 --bind 0,1=random:f32:3x21x24:6 --bind 0,2=zeros:f32:3x16 --bind 0,3=struct:u32=16,u32=21,f32=0.204
// logsumexp of the attention scores, the first pass of a two-pass flash decode.
//   q [heads, n_q, 24]  k [heads, n_kv, 24]  lse [heads, n_q]     n_q a multiple of 8
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    n_q: u32,
    n_kv: u32,
    scale: f32,
}

const HEAD_DIM = 24u;
const BR = 8u;
const BC = 8u;

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read_write> lse: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

alias Left = subgroup_matrix_left<f32, 8, 8>;
alias Right = subgroup_matrix_right<f32, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

var<workgroup> s: array<f32, BR * BC>;
var<workgroup> k_tile: array<f32, BC * HEAD_DIM>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let q_base = (wg.y * params.n_q + wg.x * BR) * HEAD_DIM;
    let k_base = wg.y * params.n_kv * HEAD_DIM;
    var m = -1.0e30;
    var l = 0.0;

    for (var j0 = 0u; j0 < params.n_kv; j0 += BC) {
        for (var i = tid; i < BC * HEAD_DIM; i += 64u) {
            let inside = j0 + i / HEAD_DIM < params.n_kv;
            k_tile[i] = 0.0;
            if (inside) {
                k_tile[i] = k[k_base + j0 * HEAD_DIM + i];
            }
        }
        workgroupBarrier();
        if (sg == 0u) {
            var acc: Result;
            for (var d = 0u; d < HEAD_DIM; d += 8u) {
                let ql = subgroupMatrixLoad<Left, row_major>(&q, q_base + d, HEAD_DIM);
                let kr = subgroupMatrixLoad<Right, col_major>(&k_tile, d, HEAD_DIM);
                acc = subgroupMatrixMultiplyAccumulate(ql, kr, acc);
            }
            subgroupMatrixStore<row_major>(&s, 0u, acc, BC);
        }
        workgroupBarrier();
        if (tid < BR) {
            for (var c = 0u; c < min(BC, params.n_kv - j0); c++) {
                let v = s[tid * BC + c] * params.scale;
                let m_new = max(m, v);
                l = l * exp(m - m_new) + exp(v - m_new);
                m = m_new;
            }
        }
        workgroupBarrier();
    }
    if (tid < BR) {
        lse[wg.y * params.n_q + wg.x * BR + tid] = m + log(l);
    }
}
