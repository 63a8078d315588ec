// Planted: non-uniform load.
//! run --dispatch 4,3 --bind 0,0=random:f32:24x24:1 --bind 0,1=random:f32:3x24x32:2 --bind 0,2=values:u32:0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,2,2,2,0,2,2,1 --bind 0,3=zeros:f32:24x32 --bind 0,4=values:u32:24,32,24
// Mixture of experts: y[t] = x[t] * weight[expert_of[t]], 8 tokens x 8 outputs a workgroup.
//   x [tokens, k]  weight [experts, k, n]     tokens, n and k are multiples of 8; 3 experts
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Dims {
    tokens: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read> expert_of: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> dims: Dims;

const EXPERTS = 3u;
var<workgroup> xs: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let t0 = wg.y * 8u;
    let n0 = wg.x * 8u;
    let expert = expert_of[t0 + tid / 8u];
    var acc: subgroup_matrix_result<f32, 8, 8>;
    for (var k0 = 0u; k0 < dims.k; k0 += 8u) {
        xs[tid] = x[(t0 + tid / 8u) * dims.k + k0 + tid % 8u];
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>, row_major>(&xs, 0u, 8u);
            let at = (expert * dims.k + k0) * dims.n + n0;
            let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>, row_major>(&weight, at, dims.n); // <- S0404
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore<row_major>(&y, t0 * dims.n + n0, acc, dims.n);
    }
}
