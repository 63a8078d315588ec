//! run --dispatch 3,5 --bind 0,0=random:f16:37x24:1 --bind 0,1=random:f16:5x24x40:2 --bind 0,2=values:u32:3,0,4,4,1,3,3,0,1,4,0,0,3,3,3,3,1,1,4,0,0,0,0,0,3,4,1,1,1,3,3,4,0,1,0,3,0 --bind 0,3=zeros:f32:37x40 --bind 0,4=zeros:u32:5 --bind 0,5=values:u32:37,40,24
// Mixture of experts: y[t] = x[t] * weight[expert_of[t]] for tokens in any order. A workgroup (block of 16 outputs, expert)
// collects the tokens of its expert, in order, and walks over them in tiles of 8 rows gathered to workgroup memory.
//   x [tokens, k]   weight [experts, k, n]   y [tokens, n]   load [experts]: how many tokens each expert has
// k is a multiple of 8, n of 8; at most 64 tokens. Expert 2 may have none.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Dims {
    tokens: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f16>;
@group(0) @binding(1) var<storage, read> weight: array<f16>;
@group(0) @binding(2) var<storage, read> expert_of: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<storage, read_write> load: array<u32>;
@group(0) @binding(5) var<uniform> dims: Dims;

const WG = 64u;
const MAX_TOKENS = 64u;
const TN = 16u;

var<workgroup> list: array<u32, MAX_TOKENS>;
var<workgroup> per_subgroup: array<u32, 16>; // subgroups of 4 and more
var<workgroup> total: u32;
var<workgroup> xs: array<f16, 8u * 8u>;
var<workgroup> ws: array<f16, 8u * TN>;
var<workgroup> ys: array<f32, 8u * TN>;

@compute @workgroup_size(WG)
fn moe(@builtin(workgroup_id) wg: vec3<u32>,
       @builtin(local_invocation_index) tid: u32,
       @builtin(subgroup_id) sg: u32,
       @builtin(num_subgroups) sgs: u32,
       @builtin(subgroup_invocation_id) lane: u32,
       @builtin(subgroup_size) size: u32) {
    let expert = wg.y;
    let n0 = wg.x * TN;

    // token = subgroup * size + lane: lanes number tokens in order, whatever invocation they are
    let token = sg * size + lane;
    var mine = 0u;
    if (token < dims.tokens) {
        mine = u32(expert_of[token] == expert);
    }
    let before = subgroupExclusiveAdd(mine);
    if (lane == size - 1u) {
        per_subgroup[sg] = before + mine;
    }
    workgroupBarrier();
    var start = 0u;
    for (var i = 0u; i < sg; i++) {
        start += per_subgroup[i];
    }
    if (mine == 1u) {
        list[start + before] = token;
    }
    if (sg == sgs - 1u && lane == size - 1u) {
        total = start + before + mine;
    }
    let count = workgroupUniformLoad(&total); // barriers inside: the list is complete
    if (tid == 0u && wg.x == 0u) {
        load[expert] = count;
    }

    for (var t0 = 0u; t0 < count; t0 += 8u) {
        var acc: array<subgroup_matrix_result<f32, 8, 8>, TN / 8u>;
        for (var k0 = 0u; k0 < dims.k; k0 += 8u) {
            let r = tid / 8u;
            xs[tid] = 0.0h;
            if (t0 + r < count) {
                xs[tid] = x[list[t0 + r] * dims.k + k0 + tid % 8u];
            }
            for (var i = tid; i < 8u * TN; i += WG) {
                let q = n0 + i % TN;
                ws[i] = 0.0h;
                if (q < dims.n) {
                    ws[i] = weight[(expert * dims.k + k0 + i / TN) * dims.n + q];
                }
            }
            workgroupBarrier();
            for (var t = sg; t < TN / 8u; t += sgs) {
                let l = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>, row_major>(&xs, 0u, 8u);
                let w = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>, row_major>(&ws, t * 8u, TN);
                acc[t] = subgroupMatrixMultiplyAccumulate(l, w, acc[t]);
            }
            workgroupBarrier();
        }
        for (var t = sg; t < TN / 8u; t += sgs) {
            subgroupMatrixStore<row_major>(&ys, t * 8u, acc[t], TN);
        }
        workgroupBarrier();
        for (var i = tid; i < 8u * TN; i += WG) {
            if (t0 + i / TN < count && n0 + i % TN < dims.n) {
                y[list[t0 + i / TN] * dims.n + n0 + i % TN] = ys[i];
            }
        }
        workgroupBarrier();
    }
}
