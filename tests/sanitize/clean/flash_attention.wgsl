// Attention for 8 queries of 16 components over 32 keys, online softmax, both products by matrix units.
//! run --bind 0,0=random:f32:8x16:1 --bind 0,1=random:f32:32x16:2 --bind 0,2=random:f32:32x16:3 --bind 0,3=zeros:f32:8x16
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> o: array<f32>;

const D = 16u;
const KEYS = 32u;
var<workgroup> score: array<f32, 64>;
var<workgroup> out_: array<f32, 128>;
var<workgroup> most: array<f32, 8>;
var<workgroup> total: array<f32, 8>;
var<workgroup> shrink: array<f32, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32) {
    out_[tid] = 0.0;
    out_[tid + 64u] = 0.0;
    if (tid < 8u) {
        most[tid] = -3.0e38;
        total[tid] = 0.0;
    }
    for (var key = 0u; key < KEYS; key += 8u) {
        if (sg == 0u) {
            var s: subgroup_matrix_result<f32, 8, 8>;
            for (var d = 0u; d < D; d += 8u) {
                let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&q, d, false, D);
                let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&k, key * D + d, true, D);
                s = subgroupMatrixMultiplyAccumulate(left, right, s);
            }
            subgroupMatrixStore(&score, 0u, subgroupMatrixScalarMultiply(s, 0.25), false, 8u);
        }
        workgroupBarrier();
        if (tid < 8u) {
            var m = most[tid];
            for (var j = 0u; j < 8u; j++) {
                m = max(m, score[tid * 8u + j]);
            }
            shrink[tid] = exp(most[tid] - m);
            var sum = total[tid] * shrink[tid];
            for (var j = 0u; j < 8u; j++) {
                let p = exp(score[tid * 8u + j] - m);
                score[tid * 8u + j] = p;
                sum += p;
            }
            most[tid] = m;
            total[tid] = sum;
        }
        workgroupBarrier();
        out_[tid] *= shrink[tid / D];
        out_[tid + 64u] *= shrink[(tid + 64u) / D];
        workgroupBarrier();
        for (var t = sg; t < 2u; t += sgs) {
            var acc = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&out_, t * 8u, false, D);
            let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&score, 0u, false, 8u);
            let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&v, key * D + t * 8u, false, D);
            acc = subgroupMatrixMultiplyAccumulate(left, right, acc);
            subgroupMatrixStore(&out_, t * 8u, acc, false, D);
        }
        workgroupBarrier();
    }
    o[tid] = out_[tid] / total[tid / D];
    o[tid + 64u] = out_[tid + 64u] / total[(tid + 64u) / D];
}
