// Planted: wrong majorness.
//! run --dispatch 3,3,2 --bind 0,0=random:f32:2x24x32:1 --bind 0,1=random:f32:2x40x32:2 --bind 0,2=zeros:f32:2x24x40 --bind 0,3=struct:u32=24,u32=40,f32=0.17677669 --expect 0,2=tests/sanitize/planted/25_attention_scores_k_rowmajor.npy
//! also S1001
// Scaled scores s[h, i, j] = scale * dot(q[h, i], k[h, j]) for a head of 32, 8 x 16 scores a workgroup.
// n_q and n_kv are multiples of 8. Grid: ceil(n_kv / 16) x n_q / 8 x heads.
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
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const HEAD = 32u;

@compute @workgroup_size(64)
fn scores(@builtin(workgroup_id) wg: vec3<u32>,
          @builtin(subgroup_id) sg: u32,
          @builtin(num_subgroups) sgs: u32) {
    let i0 = wg.y * 8u;
    let q_base = (wg.z * params.n_q + i0) * HEAD;
    let s_base = (wg.z * params.n_q + i0) * params.n_kv;
    for (var t = sg; t < 2u; t += sgs) {
        let j0 = wg.x * 16u + t * 8u;
        if (j0 < params.n_kv) {
            let k_base = (wg.z * params.n_kv + j0) * HEAD;
            var acc: subgroup_matrix_result<f32, 8, 8>;
            for (var d = 0u; d < HEAD; d += 8u) {
                let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>, row_major>(&q, q_base + d, HEAD);
                let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>, row_major>(&k, k_base + d, HEAD); // <- S1002
                acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
            }
            acc = subgroupMatrixScalarMultiply(acc, params.scale);
            subgroupMatrixStore<row_major>(&s, s_base + j0, acc, params.n_kv);
        }
    }
}
