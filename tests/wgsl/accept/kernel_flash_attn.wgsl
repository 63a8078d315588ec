// The way of ggml's attention kernel: two matrix multiplies through an online softmax, matrices from storage and from
// workgroup memory, rows shared out among subgroups, everything in f16.
diagnostic(off, chromium.subgroup_matrix_uniformity);
diagnostic(off, subgroup_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    offset_q: u32, offset_k: u32, offset_v: u32, offset_mask: u32, offset_dst: u32,
    // shapes
    n_heads: u32, seq_len_q: u32, seq_len_kv: u32,
    // strides, in elements
    stride_q1: u32, stride_q2: u32, stride_k1: u32, stride_k2: u32, stride_v1: u32, stride_v2: u32,
    q_per_kv: u32,
    scale: f32, max_bias: f32, logit_softcap: f32, n_head_log2: f32, m0: f32, m1: f32,
};

@group(0) @binding(0) var<storage, read_write> Q: array<f32>;
@group(0) @binding(1) var<storage, read_write> K: array<f16>;
@group(0) @binding(2) var<storage, read_write> V: array<f16>;
@group(0) @binding(3) var<storage, read_write> mask: array<f16>;
@group(0) @binding(4) var<storage, read_write> sinks: array<f32>;
@group(0) @binding(5) var<storage, read_write> dst: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

const FLOAT_MIN: f32 = -1.0e9;

var<workgroup> q_shmem: array<f16, 8 * 64>;
const kv_shmem_size = 16 * max(64, 64);
var<workgroup> kv_shmem: array<f16, kv_shmem_size>;
var<workgroup> o_shmem: array<f16, 8 * 64>;
var<workgroup> mask_shmem: array<f16, 8 * 16>;
var<workgroup> inter_shmem: array<f16, 8 * 16>;
var<workgroup> row_max_shmem: array<f32, 8>;
var<workgroup> exp_sum_shmem: array<f32, 8>;

fn softmax_term(kv_idx: u32, row: u32, slope: f32) -> f32 {
    var v = select(FLOAT_MIN,
                   f32(inter_shmem[kv_idx + row * 16]) * params.scale,
                   kv_idx < 16);
    v = params.logit_softcap * tanh(v);
    let mask_val = select(0.0, f32(mask_shmem[row * 16 + kv_idx]), kv_idx < 16);
    v     += slope * mask_val;
    return v;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg_id: vec3<u32>,
    @builtin(local_invocation_id) local_id: vec3<u32>,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_invocation_id) lane: u32) {
    for (var i = local_id.x; i < 8; i += 64) {
        row_max_shmem[i] = FLOAT_MIN;
        exp_sum_shmem[i] = 0.0;
    }
    for (var i = local_id.x; i < 8 * 64; i     += 64) {
        o_shmem[i] = 0.0;
    }
    let wg_per_head = (params.seq_len_q + 8 - 1u) / 8;
    let head_idx = wg_id.x / wg_per_head;
    let q_row_start = wg_id.x % wg_per_head * 8;
    let q_head = params.offset_q + head_idx * params.stride_q2;
    let k_head = params.offset_k + head_idx / params.q_per_kv * params.stride_k2;
    let v_head = params.offset_v + head_idx / params.q_per_kv * params.stride_v2;
    let mask_at = params.offset_mask + q_row_start * params.seq_len_kv;
    let dst_at = params.offset_dst + q_row_start * 64 * params.n_heads + head_idx * 64;
    let head = f32(head_idx);
    let slope = select(1.0, select(pow(params.m1, 2.0 * (head - params.n_head_log2) + 1.0), pow(params.m0, head + 1.0), head < params.n_head_log2), params.max_bias > 0);

    for (var elem_idx = local_id.x; elem_idx < 8 * 64; elem_idx += 64) {
        let q_row = elem_idx / 64;
        let q_col = elem_idx % 64;
        q_shmem[elem_idx] = f16(select(
            0.0,
            Q[q_head + (q_row_start + q_row) * params.stride_q1 + q_col],
            q_row_start + q_row < params.seq_len_q && q_col < 64));
    }

    for (var kv_tile = 0u; kv_tile < params.seq_len_kv; kv_tile     += 16) {
        for (var elem_idx = local_id.x; elem_idx < 8 * 16; elem_idx += 64) {
            inter_shmem[elem_idx] = 0.0;
        }
        for (var elem_idx = local_id.x; elem_idx < 16 * 64; elem_idx += 64) {
            let k_row = kv_tile + elem_idx / 64;
            kv_shmem[elem_idx] = f16(select(0.0, K[k_head + k_row * params.stride_k1 + elem_idx % 64], k_row < params.seq_len_kv));
        }
        workgroupBarrier();

        if (subgroup_id < (16 / 8)) {
            for (var kv_block = subgroup_id; kv_block < (16 / 8); kv_block += num_subgroups) {
                let inter_offset = kv_block * 8;
                var acc: subgroup_matrix_result<f16, 8, 8> = subgroupMatrixLoad<subgroup_matrix_result<f16, 8, 8>>(
                        &inter_shmem, inter_offset, false, 16);
                let tiles: u32 = u32(64) / u32(8);
                var q_cur = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&q_shmem, 0u, false, 64);
                var k_cur = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&kv_shmem, kv_block * 8 * 64 + 0u, true, 64);
                var t: u32 = 1u;
                for (; t < tiles; t += 1u) {
                    let h = t * 8;
                    let qn = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&q_shmem, h, false, 64);
                    let kn = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&K, k_head + h, true, params.stride_k1);
                    acc = subgroupMatrixMultiplyAccumulate(q_cur, k_cur, acc);
                    q_cur = qn;
                    k_cur = kn;
}

acc = subgroupMatrixMultiplyAccumulate(q_cur, k_cur, acc);

                subgroupMatrixStore(&inter_shmem, inter_offset, acc, false, 16);
            }
        }

        for (var elem_idx = local_id.x; elem_idx < 8 * 16; elem_idx += 64) {
            let q_row = q_row_start + elem_idx / 16;
            let k_col = kv_tile + elem_idx % 16;
            let inside = q_row < params.seq_len_q && k_col < params.seq_len_kv;
            mask_shmem[elem_idx] = select(0.0, mask[mask_at + elem_idx / 16 * params.seq_len_kv + k_col], inside);
        }
        workgroupBarrier();

        for (var q_tile_row = subgroup_id; q_tile_row < 8; q_tile_row += num_subgroups) {
            if (q_row_start + q_tile_row >= params.seq_len_q) {
                break;
            }
            var prev_max = row_max_shmem[q_tile_row];
            var final_max = prev_max;
            for (var kv_offset = 0u; kv_offset < 16; kv_offset += subgroup_size) {
                final_max = subgroupMax(max(final_max, softmax_term(kv_offset + lane, q_tile_row, slope)));
            }
            var total = 0.0;
            for (var kv_offset = 0u; kv_offset < 16; kv_offset += subgroup_size) {
                let kv_idx = kv_offset + lane;
                let p = select(0.0, exp(softmax_term(kv_idx, q_tile_row, slope) - final_max), kv_tile + kv_idx < params.seq_len_kv && kv_idx < 16);
                total += p;
                if (kv_idx < 16) {
                    inter_shmem[kv_idx + q_tile_row * 16] = f16(p);
                }
            }
            total = subgroupAdd(total);
            let cur_exp = exp(prev_max - final_max);
            if (lane == 0) {
                row_max_shmem[q_tile_row] = final_max;
                exp_sum_shmem[q_tile_row] = exp_sum_shmem[q_tile_row] * cur_exp + total;
            }
            for (var elem_idx = lane; elem_idx < 64; elem_idx += subgroup_size) {
                let idx = q_tile_row * 64 + elem_idx;
                o_shmem[idx] = f16(f32(o_shmem[idx]) * cur_exp);
            }
        }
        workgroupBarrier();

        for (var head_dim_block = subgroup_id * 8; head_dim_block < 64; head_dim_block += num_subgroups * 8) {
            var o_sg_mat: subgroup_matrix_result<f16, 8, 8> = subgroupMatrixLoad<subgroup_matrix_result<f16, 8, 8>>(&o_shmem, head_dim_block, false, 64);
            for (var kv_block = 0u; kv_block < (16 / 8); kv_block++) {
                var p_sg_mat: subgroup_matrix_left<f16, 8, 8> = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&inter_shmem, kv_block * 8, false, 16);
                var v_sg_mat: subgroup_matrix_right<f16, 8, 8> = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(
                    &V, v_head + (kv_tile + kv_block * 8) * params.stride_v1 + head_dim_block, false, params.stride_v1);
                o_sg_mat = subgroupMatrixMultiplyAccumulate(p_sg_mat, v_sg_mat, o_sg_mat);
            }
            subgroupMatrixStore(&o_shmem, head_dim_block, o_sg_mat, false, 64);
        }
        workgroupBarrier();
    }

    if (subgroup_id == 0u) {
        for (var row = lane; row < 8; row += subgroup_size) {
            let prev = row_max_shmem[row];
            let sink = sinks[head_idx];
            let m = max(prev, sink);
            exp_sum_shmem[row] = exp_sum_shmem[row] * exp(prev - m) + exp(sink - m);
        }
    }
    workgroupBarrier();
    for (var idx = local_id.x; idx < 8 * 64; idx += 64) {
        let row = idx / 64;
        if (q_row_start + row >= params.seq_len_q) { break; }
        let sum = exp_sum_shmem[row];
        let factor = select(0.0, 1.0 / sum, sum != 0);
        dst[dst_at + row * 64 * params.n_heads + idx % 64] = f32(o_shmem[idx]) * factor;
    }
}
