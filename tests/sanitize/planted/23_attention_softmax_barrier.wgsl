// Planted: missing barrier.
//! run --dispatch 3,2 --bind 0,0=random:f32:2x21x16:1 --bind 0,1=random:f32:2x29x16:2 --bind 0,2=random:f32:2x29x16:3 --bind 0,3=zeros:f32:2x21x16 --bind 0,4=struct:u32=21,u32=29,f32=0.25
// Attention for short sequences (n_kv <= 32) and a head of 16: one workgroup makes 8 query rows of one head.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    n_q: u32,
    n_kv: u32,
    scale: f32,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> o: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

const WG = 64u;
const D = 16u;
const BR = 8u;
const BC = 32u;

alias Left = subgroup_matrix_left<f32, 8, 8>;
alias Right = subgroup_matrix_right<f32, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

var<workgroup> qs: array<f32, BR * D>;
var<workgroup> ks: array<f32, BC * D>;
var<workgroup> vs: array<f32, BC * D>;
var<workgroup> s: array<f32, BR * BC>;
var<workgroup> os: array<f32, BR * D>;
var<workgroup> part: array<f32, WG>;

@compute @workgroup_size(WG)
fn attn(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let row0 = wg.x * BR;
    let q_base = wg.y * params.n_q * D;
    let kv_base = wg.y * params.n_kv * D;

    for (var i = tid; i < BR * D; i += WG) {
        qs[i] = 0.0;
        if (row0 + i / D < params.n_q) {
            qs[i] = q[q_base + row0 * D + i];
        }
    }
    for (var i = tid; i < BC * D; i += WG) {
        ks[i] = 0.0;
        vs[i] = 0.0;
        if (i / D < params.n_kv) {
            ks[i] = k[kv_base + i];
            vs[i] = v[kv_base + i];
        }
    }
    workgroupBarrier();

    for (var t = sg; t < BC / 8u; t += sgs) {
        var acc: Result;
        for (var d = 0u; d < D; d += 8u) {
            let l = subgroupMatrixLoad<Left, row_major>(&qs, d, D);
            let r = subgroupMatrixLoad<Right, col_major>(&ks, t * 8u * D + d, D);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        subgroupMatrixStore<row_major>(&s, t * 8u, acc, BC);
    }
    workgroupBarrier();

    // softmax: 8 invocations a row
    let r = tid / 8u;
    let lane = tid % 8u;
    var m = -1.0e30;
    for (var c = lane; c < params.n_kv; c += 8u) {
        m = max(m, s[r * BC + c] * params.scale);
    }
    part[tid] = m;
    workgroupBarrier();
    for (var j = 0u; j < 8u; j++) {
        m = max(m, part[r * 8u + j]);
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var c = lane; c < BC; c += 8u) {
        let p = select(0.0, exp(s[r * BC + c] * params.scale - m), c < params.n_kv);
        sum += p;
        s[r * BC + c] = p; // <- S0301
    }
    part[tid] = sum;

    for (var t = sg; t < D / 8u; t += sgs) {
        var acc: Result;
        for (var c = 0u; c < BC; c += 8u) {
            let l = subgroupMatrixLoad<Left, row_major>(&s, c, BC); // <- S0301
            let x = subgroupMatrixLoad<Right, row_major>(&vs, c * D + t * 8u, D);
            acc = subgroupMatrixMultiplyAccumulate(l, x, acc);
        }
        subgroupMatrixStore<row_major>(&os, t * 8u, acc, D);
    }
    workgroupBarrier();
    for (var i = tid; i < BR * D; i += WG) {
        var total = 0.0;
        for (var j = 0u; j < 8u; j++) {
            total += part[i / D * 8u + j];
        }
        if (row0 + i / D < params.n_q) {
            o[q_base + row0 * D + i] = os[i] / total;
        }
    }
}
