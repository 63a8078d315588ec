//! run --dispatch 3,4 --bind 0,0=random:f16:4x21x40:1 --bind 0,1=random:f16:2x27x40:2 --bind 0,2=random:f16:2x27x40:3 --bind 0,3=zeros:f32:4x21x32 --bind 0,4=struct:u32=21,u32=27,u32=40,u32=2,f32=0.17677669,f32=0.1
// Causal flash attention with grouped key/value heads, f16 in, f32 out; a head of 32 with rows padded to `pitch`.
//   q [heads, n_q, pitch]  k, v [heads / group, n_kv, pitch]  o [heads, n_q, 32]
// Row i sees keys up to i + n_kv - n_q, with an ALiBi slope. 8 rows a workgroup, 16 keys a step. One buffer holds first
// the keys, then the values; the scores become probabilities where they lie.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    n_q: u32,
    n_kv: u32,
    pitch: u32,
    group: u32,
    scale: f32,
    slope: f32,
}

@group(0) @binding(0) var<storage, read> q: array<f16>;
@group(0) @binding(1) var<storage, read> k: array<f16>;
@group(0) @binding(2) var<storage, read> v: array<f16>;
@group(0) @binding(3) var<storage, read_write> o: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

const WG = 64u;
const D = 32u;
const BR = 8u;
const BC = 16u;
const LANES = WG / BR;
const KV_PITCH = D + 8u;
const NEG = -3.0e38;

alias Left = subgroup_matrix_left<f16, 8, 8>;
alias Right = subgroup_matrix_right<f16, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

var<workgroup> qs: array<f16, BR * D>;
var<workgroup> kv: array<f16, BC * KV_PITCH>;
var<workgroup> s: array<f32, BR * BC>;
var<workgroup> p: array<f16, BR * BC>;
var<workgroup> os: array<f32, BR * D>;
var<workgroup> part: array<f32, WG>;
var<workgroup> row_max: array<f32, BR>;
var<workgroup> row_sum: array<f32, BR>;

fn stage_kv(is_v: bool, base: u32, j0: u32, tid: u32) {
    for (var i = tid; i < BC * D; i += WG) {
        let j = j0 + i / D;
        var x = 0.0h;
        if (j < params.n_kv) {
            let at = base + j * params.pitch + i % D;
            if (is_v) {
                x = v[at];
            } else {
                x = k[at];
            }
        }
        kv[i / D * KV_PITCH + i % D] = x;
    }
}

@compute @workgroup_size(WG)
fn flash(@builtin(workgroup_id) wg: vec3<u32>,
         @builtin(local_invocation_index) tid: u32,
         @builtin(subgroup_id) sg: u32,
         @builtin(num_subgroups) sgs: u32) {
    let i0 = wg.x * BR;
    let q_base = wg.y * params.n_q * params.pitch;
    let kv_base = wg.y / params.group * params.n_kv * params.pitch;
    let ahead = params.n_kv - params.n_q; // n_kv >= n_q

    for (var i = tid; i < BR * D; i += WG) {
        var x = 0.0h;
        if (i0 + i / D < params.n_q) {
            x = q[q_base + (i0 + i / D) * params.pitch + i % D];
        }
        qs[i] = x;
        os[i] = 0.0;
    }
    if (tid < BR) {
        row_max[tid] = NEG;
        row_sum[tid] = 0.0;
    }

    let r = tid / LANES;
    let lane = tid % LANES;
    let row = i0 + r;
    // the last key that any row of this workgroup sees
    let end = min(i0 + BR + ahead, params.n_kv);
    for (var j0 = 0u; j0 < end; j0 += BC) {
        stage_kv(false, kv_base, j0, tid);
        workgroupBarrier();
        for (var t = sg; t < BC / 8u; t += sgs) {
            var acc = Result();
            for (var d = 0u; d < D; d += 8u) {
                let l = subgroupMatrixLoad<Left, row_major>(&qs, d, D);
                let x = subgroupMatrixLoad<Right, col_major>(&kv, t * 8u * KV_PITCH + d, KV_PITCH);
                acc = subgroupMatrixMultiplyAccumulate(l, x, acc);
            }
            subgroupMatrixStore<row_major>(&s, t * 8u, acc, BC);
        }
        workgroupBarrier();

        stage_kv(true, kv_base, j0, tid); // nobody reads the keys any more
        var m = NEG;
        for (var c = lane; c < BC; c += LANES) {
            var x = NEG;
            let j = j0 + c;
            if (row < params.n_q && j <= row + ahead && j < params.n_kv) {
                x = s[r * BC + c] * params.scale - params.slope * f32(row + ahead - j);
            }
            s[r * BC + c] = x;
            m = max(m, x);
        }
        part[tid] = m;
        let before = row_max[r];
        workgroupBarrier();
        m = before;
        for (var j = 0u; j < LANES; j++) {
            m = max(m, part[r * LANES + j]);
        }
        workgroupBarrier(); // part is written again below
        let shrink = exp(before - m);
        var sum = 0.0;
        for (var c = lane; c < BC; c += LANES) {
            let x = s[r * BC + c];
            var e = 0.0;
            if (x > NEG) {
                e = exp(x - m);
            }
            p[r * BC + c] = f16(e);
            sum += f32(f16(e));
        }
        part[tid] = sum;
        for (var d = lane; d < D; d += LANES) {
            os[r * D + d] *= shrink;
        }
        workgroupBarrier();
        if (lane == 0u) {
            var total = row_sum[r] * shrink;
            for (var j = 0u; j < LANES; j++) {
                total += part[tid + j];
            }
            row_sum[r] = total;
            row_max[r] = m;
        }
        for (var t = sg; t < D / 8u; t += sgs) {
            var acc = subgroupMatrixLoad<Result, row_major>(&os, t * 8u, D);
            for (var c = 0u; c < BC; c += 8u) {
                let l = subgroupMatrixLoad<Left, row_major>(&p, c, BC);
                let x = subgroupMatrixLoad<Right, row_major>(&kv, c * KV_PITCH + t * 8u, KV_PITCH);
                acc = subgroupMatrixMultiplyAccumulate(l, x, acc);
            }
            subgroupMatrixStore<row_major>(&os, t * 8u, acc, D);
        }
        workgroupBarrier();
    }
    for (var d = lane; d < D; d += LANES) {
        if (row < params.n_q) {
            o[(wg.y * params.n_q + row) * D + d] = os[r * D + d] / row_sum[r];
        }
    }
}
