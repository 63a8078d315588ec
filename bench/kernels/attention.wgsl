// A whole attention kernel as inference engines have them, some 400 lines: f16 queries, keys and values either in f16 or in
// blocks of 8 or 4 bits, grouped heads, an additive mask, linear position biases, a soft cap on the scores, sinks, causal
// order, and two chained matrix multiplies through an online softmax. It is what compile times are measured on.

diagnostic(off, chromium.subgroup_matrix_uniformity);
diagnostic(off, subgroup_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

// ---- Sizes. Those in capitals come from outside.

override HEAD_QK: u32 = 64;
override HEAD_V: u32 = 64;
override KV_BITS: u32 = 16;
override USE_MASK: bool = true;
override USE_SINKS: bool = true;
override USE_CAP: bool = true;

const TM = 8u;
const TN = 8u;
const TK = 8u;
const Q_ROWS = TM;
const KV_ROWS = 32u;
const INVOCATIONS = 128u;
const KV_TILES = KV_ROWS / TN;
const QUANT_BLOCK = 32u;
const HALVES_PER_BLOCK_8 = 17u;
const HALVES_PER_BLOCK_4 = 9u;
const FLOOR = -65504.0;
const LOG2_E = 1.4426950408889634;

override Q_ELEMENTS = Q_ROWS * HEAD_QK;
override V_ELEMENTS = Q_ROWS * HEAD_V;
override KV_ELEMENTS = KV_ROWS * max(HEAD_QK, HEAD_V);
override BLOCKS_QK = (HEAD_QK + QUANT_BLOCK - 1) / QUANT_BLOCK;
override BLOCKS_V = (HEAD_V + QUANT_BLOCK - 1) / QUANT_BLOCK;

alias LeftMatrix = subgroup_matrix_left<f16, TK, TM>;
alias RightMatrix = subgroup_matrix_right<f16, TN, TK>;
alias ResultMatrix = subgroup_matrix_result<f16, TN, TM>;

// ---- Data.

struct Shape {
    heads: u32,
    heads_kv: u32,
    rows_q: u32,
    rows_kv: u32,
}

struct Strides {
    row: u32,
    head: u32,
    batch: u32,
    offset: u32,
}

struct Softmax {
    scale: f32,
    cap: f32,
    max_bias: f32,
    slope_base_0: f32,
    slope_base_1: f32,
    heads_log2: f32,
    causal: u32,
    batch: u32,
}

struct Params {
    shape: Shape,
    q: Strides,
    k: Strides,
    v: Strides,
    o: Strides,
    mask_stride: u32,
    mask_offset: u32,
    softmax: Softmax,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f16>;
@group(0) @binding(2) var<storage, read> v: array<f16>;
@group(0) @binding(3) var<storage, read> mask: array<f16>;
@group(0) @binding(4) var<storage, read> sinks: array<f32>;
@group(0) @binding(5) var<storage, read_write> o: array<f32>;
@group(0) @binding(6) var<storage, read> params: Params;

var<workgroup> q_tile: array<f16, Q_ROWS * 256>;
var<workgroup> kv_tile: array<f16, KV_ROWS * 256>;
var<workgroup> o_tile: array<f16, Q_ROWS * 256>;
var<workgroup> mask_tile: array<f16, Q_ROWS * KV_ROWS>;
var<workgroup> score_tile: array<f16, Q_ROWS * KV_ROWS>;
var<workgroup> row_max: array<f32, Q_ROWS>;
var<workgroup> row_sum: array<f32, Q_ROWS>;
var<workgroup> row_scale: array<f32, Q_ROWS>;

// ---- Small helpers.

fn round_up(x: u32, to: u32) -> u32 {
    return (x + to - 1u) / to * to;
}

fn byte_of(word: u32, index: u32) -> u32 {
    return (word >> (index * 8u)) & 0xffu;
}

fn signed_byte_of(word: u32, index: u32) -> i32 {
    return bitcast<i32>(byte_of(word, index) << 24u) >> 24u;
}

fn nibbles_of(word: u32, index: u32) -> vec2<f16> {
    let both = byte_of(word, index);
    return vec2<f16>(f16(both & 0xfu), f16(both >> 4u)) - vec2<f16>(8.0h);
}

fn soft_cap(x: f32, cap: f32) -> f32 {
    if (!USE_CAP || cap == 0.0) {
        return x;
    }
    return cap * tanh(x / cap);
}

fn fast_exp(x: f32) -> f32 {
    return exp2(x * LOG2_E);
}

// The slope of the linear position bias of a head.
fn slope_of(head: u32) -> f32 {
    let s = params.softmax;
    if (s.max_bias <= 0.0) {
        return 1.0;
    }
    let h = f32(head);
    let near = pow(s.slope_base_0, h + 1.0);
    let far = pow(s.slope_base_1, 2.0 * (h - s.heads_log2) + 1.0);
    return select(far, near, h < s.heads_log2);
}

fn start_of(s: Strides, batch: u32, head: u32) -> u32 {
    return s.offset + batch * s.batch + head * s.head;
}

// Whether query row `row` may see key row `col`.
fn sees(row: u32, col: u32) -> bool {
    let shape = params.shape;
    if (row >= shape.rows_q || col >= shape.rows_kv) {
        return false;
    }
    if (params.softmax.causal == 0u) {
        return true;
    }
    return col + shape.rows_q <= row + shape.rows_kv;
}

// ---- Copies to workgroup memory: the only code that knows about edges and formats.

fn load_q(lane: u32, start: u32, row0: u32) {
    for (var i = lane; i < Q_ELEMENTS; i += INVOCATIONS) {
        let row = i / HEAD_QK;
        let col = i % HEAD_QK;
        var x = 0.0;
        if (row0 + row < params.shape.rows_q) {
            x = q[start + (row0 + row) * params.q.row + col];
        }
        q_tile[i] = f16(clamp(x, -65504.0, 65504.0));
    }
}

fn load_half_k(lane: u32, start: u32, row0: u32, head_size: u32) {
    for (var i = lane; i < KV_ROWS * head_size; i += INVOCATIONS) {
        let row = i / head_size;
        let col = i % head_size;
        var x = 0.0h;
        if (row0 + row < params.shape.rows_kv) {
            x = k[start + (row0 + row) * params.k.row + col];
        }
        kv_tile[i] = x;
    }
}

fn load_half_v(lane: u32, start: u32, row0: u32, head_size: u32) {
    for (var i = lane; i < KV_ROWS * head_size; i += INVOCATIONS) {
        let row = i / head_size;
        let col = i % head_size;
        var x = 0.0h;
        if (row0 + row < params.shape.rows_kv) {
            x = v[start + (row0 + row) * params.v.row + col];
        }
        kv_tile[i] = x;
    }
}

// Blocks of 32 values in 8 bits behind one f16 scale.
fn load_k_8bit(lane: u32, start: u32, row0: u32) {
    for (var i = lane; i < KV_ROWS * BLOCKS_QK * 8u; i += INVOCATIONS) {
        let block = i / 8u;
        let part = i % 8u;
        let row = block / BLOCKS_QK;
        let at = row * HEAD_QK + block % BLOCKS_QK * QUANT_BLOCK + part * 4u;
        if (row0 + row < params.shape.rows_kv) {
            let base = (start + (row0 + row) * params.k.row + block % BLOCKS_QK) * HALVES_PER_BLOCK_8;
            let scale = k[base];
            let word = bitcast<u32>(vec2<f16>(k[base + 1u + part * 2u], k[base + 2u + part * 2u]));
            for (var j = 0u; j < 4u; j++) {
                kv_tile[at + j] = f16(signed_byte_of(word, j)) * scale;
            }
        } else {
            for (var j = 0u; j < 4u; j++) {
                kv_tile[at + j] = 0.0h;
            }
        }
    }
}

// Blocks of 32 values in 4 bits behind one f16 scale: low nibbles first, then the high ones.
fn load_k_4bit(lane: u32, start: u32, row0: u32) {
    for (var i = lane; i < KV_ROWS * BLOCKS_QK * 4u; i += INVOCATIONS) {
        let block = i / 4u;
        let part = i % 4u;
        let row = block / BLOCKS_QK;
        let at = row * HEAD_QK + block % BLOCKS_QK * QUANT_BLOCK + part * 4u;
        var scale = 0.0h;
        var word = 0u;
        if (row0 + row < params.shape.rows_kv) {
            let base = (start + (row0 + row) * params.k.row + block % BLOCKS_QK) * HALVES_PER_BLOCK_4;
            scale = k[base];
            word = bitcast<u32>(vec2<f16>(k[base + 1u + part * 2u], k[base + 2u + part * 2u]));
        }
        for (var j = 0u; j < 4u; j++) {
            let pair = nibbles_of(word, j) * scale;
            kv_tile[at + j] = pair.x;
            kv_tile[at + j + 16u] = pair.y;
        }
    }
}

fn load_k(lane: u32, start: u32, row0: u32) {
    switch (KV_BITS) {
        case 8u: {
            load_k_8bit(lane, start, row0);
        }
        case 4u: {
            load_k_4bit(lane, start, row0);
        }
        default: {
            load_half_k(lane, start, row0, HEAD_QK);
        }
    }
}

fn load_mask(lane: u32, row0: u32, col0: u32) {
    for (var i = lane; i < Q_ROWS * KV_ROWS; i += INVOCATIONS) {
        let row = row0 + i / KV_ROWS;
        let col = col0 + i % KV_ROWS;
        var bias = 0.0h;
        if (USE_MASK && sees(row, col)) {
            bias = mask[params.mask_offset + row * params.mask_stride + col];
        }
        mask_tile[i] = bias;
    }
}

// ---- The two multiplies.

fn multiply_scores(subgroup: u32, subgroups: u32) {
    for (var tile = subgroup; tile < KV_TILES; tile += subgroups) {
        var sum = ResultMatrix();
        var left = subgroupMatrixLoad<LeftMatrix, row_major>(&q_tile, 0u, HEAD_QK);
        var right = subgroupMatrixLoad<RightMatrix, col_major>(&kv_tile, tile * TN * HEAD_QK, HEAD_QK);
        for (var d = TK; d < HEAD_QK; d += TK) {
            let next_left = subgroupMatrixLoad<LeftMatrix, row_major>(&q_tile, d, HEAD_QK);
            let next_right = subgroupMatrixLoad<RightMatrix, col_major>(&kv_tile, tile * TN * HEAD_QK + d, HEAD_QK);
            sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
            left = next_left;
            right = next_right;
        }
        sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
        subgroupMatrixStore<row_major>(&score_tile, tile * TN, sum, KV_ROWS);
    }
}

fn multiply_values(subgroup: u32, subgroups: u32) {
    for (var col = subgroup * TN; col < HEAD_V; col += subgroups * TN) {
        var sum = subgroupMatrixLoad<ResultMatrix, row_major>(&o_tile, col, HEAD_V);
        for (var j = 0u; j < KV_ROWS; j += 2u * TK) {
            var lefts: array<LeftMatrix, 2>;
            for (var part = 0u; part < 2u; part++) {
                lefts[part] = subgroupMatrixLoad<LeftMatrix, row_major>(&score_tile, j + part * TK, KV_ROWS);
            }
            for (var part = 0u; part < 2u; part++) {
                let at = (j + part * TK) * HEAD_V + col;
                let right = subgroupMatrixLoad<RightMatrix, row_major>(&kv_tile, at, HEAD_V);
                sum = subgroupMatrixMultiplyAccumulate(lefts[part], right, sum);
            }
        }
        subgroupMatrixStore<row_major>(&o_tile, col, sum, HEAD_V);
    }
}

// ---- The online softmax: one row for a subgroup at a time.

fn softmax_rows(row0: u32, col0: u32, slope: f32, subgroup: u32, subgroups: u32, lane: u32, size: u32) {
    for (var row = subgroup; row < Q_ROWS; row += subgroups) {
        let old_max = row_max[row];
        var new_max = old_max;
        for (var j = lane; j < KV_ROWS; j += size) {
            let at = row * KV_ROWS + j;
            if (sees(row0 + row, col0 + j)) {
                let scaled = f32(score_tile[at]) * params.softmax.scale;
                let biased = soft_cap(scaled, params.softmax.cap) + slope * f32(mask_tile[at]);
                new_max = max(new_max, biased);
            }
        }
        new_max = subgroupMax(new_max);

        var sum = 0.0;
        for (var j = lane; j < KV_ROWS; j += size) {
            let at = row * KV_ROWS + j;
            var p = 0.0;
            if (sees(row0 + row, col0 + j)) {
                let scaled = f32(score_tile[at]) * params.softmax.scale;
                let biased = soft_cap(scaled, params.softmax.cap) + slope * f32(mask_tile[at]);
                p = fast_exp(biased - new_max);
            }
            score_tile[at] = f16(p);
            sum += p;
        }
        sum = subgroupAdd(sum);

        let shrink = fast_exp(old_max - new_max);
        for (var d = lane; d < HEAD_V; d += size) {
            o_tile[row * HEAD_V + d] *= f16(shrink);
        }
        if (subgroupElect()) {
            row_max[row] = new_max;
            row_sum[row] = row_sum[row] * shrink + sum;
        }
    }
}

fn apply_sinks(head: u32, lane: u32) {
    if (USE_SINKS && lane < Q_ROWS) {
        let old_max = row_max[lane];
        let new_max = max(old_max, sinks[head]);
        row_scale[lane] = fast_exp(old_max - new_max);
        row_sum[lane] = row_sum[lane] * row_scale[lane] + fast_exp(sinks[head] - new_max);
        row_max[lane] = new_max;
    } else if (lane < Q_ROWS) {
        row_scale[lane] = 1.0;
    }
}

fn store_rows(lane: u32, start: u32, row0: u32) {
    for (var i = lane; i < V_ELEMENTS; i += INVOCATIONS) {
        let row = i / HEAD_V;
        let col = i % HEAD_V;
        if (row0 + row >= params.shape.rows_q) {
            continue;
        }
        let sum = row_sum[row];
        let x = select(f32(o_tile[i]) * row_scale[row] / sum, 0.0, sum == 0.0);
        o[start + (row0 + row) * params.o.row + col] = x;
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) subgroups: u32,
        @builtin(subgroup_invocation_id) subgroup_lane: u32,
        @builtin(subgroup_size) subgroup_size: u32) {
    let shape = params.shape;
    let row0 = group.x * Q_ROWS;
    let head = group.y;
    let batch = group.z;
    let head_kv = head / (shape.heads / shape.heads_kv);
    let slope = slope_of(head);
    let q_start = start_of(params.q, batch, head);
    let k_start = start_of(params.k, batch, head_kv);
    let v_start = start_of(params.v, batch, head_kv);

    load_q(lane, q_start, row0);
    for (var i = lane; i < V_ELEMENTS; i += INVOCATIONS) {
        o_tile[i] = 0.0h;
    }
    if (lane < Q_ROWS) {
        row_max[lane] = FLOOR;
        row_sum[lane] = 0.0;
    }

    for (var col0 = 0u; col0 < round_up(shape.rows_kv, KV_ROWS); col0 += KV_ROWS) {
        load_k(lane, k_start, col0);
        load_mask(lane, row0, col0);
        workgroupBarrier();
        multiply_scores(subgroup, subgroups);
        workgroupBarrier();
        softmax_rows(row0, col0, slope, subgroup, subgroups, subgroup_lane, subgroup_size);
        load_half_v(lane, v_start, col0, HEAD_V);
        workgroupBarrier();
        multiply_values(subgroup, subgroups);
        workgroupBarrier();
    }
    apply_sinks(head, lane);
    workgroupBarrier();
    store_rows(lane, start_of(params.o, batch, head), row0);
}
