//! configuration M N K f32*f32+f32->f32
//! check --bind 0,0=random:f32:2x21x40:1 --bind 0,1=random:f32:2x19x40:2 --bind 0,2=random:f32:2x19x40:3
//! check --bind 0,3=random:f32:21x19:4 --bind 0,4=zeros:f32:2x21x40 --set HEAD=40 --dispatch 2,2
//! check --bind 0,5=struct:u32=21,u32=19,u32=1,u32=1,f32=0.2
// O = softmax(scale * Q * K^T + mask) * V in f32, for any head size and lengths, with subgroup matrices of 8x8x8
// or any other shape of powers of two.
//
//   q  [heads, n_q, HEAD]   k, v  [heads, n_kv, HEAD]   mask  [n_q, n_kv], added to the scores   o  as q
//
// One workgroup makes 16 rows of one head (workgroup_id.y). It walks over K and V in blocks of 16 rows and keeps, for each
// of its rows, the greatest score so far and the sum of exponentials: when the greatest grows, what was summed before is
// scaled down (the online softmax). A row that may see nothing gives zeros. With `causal`, row i sees the columns up to
// i + n_kv - n_q: the last query sees the last key.
//
// HEAD is set from outside (--set HEAD=80); rows in workgroup memory are padded to the tile with zeros, which add nothing.

diagnostic(off, chromium.subgroup_matrix_uniformity); // tiles are dealt out by subgroup: uniform there, not beyond
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    n_q: u32,
    n_kv: u32,
    causal: u32,   // 0 or 1
    has_mask: u32, // 0: the mask is not read
    scale: f32,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<f32>;
@group(0) @binding(4) var<storage, read_write> o: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

override HEAD: u32 = 64;

const INVOCATIONS = 128u;
const M = 8u;                     // a tile: left is M x K, right is K x N, the result M x N
const N = 8u;
const K = 8u;
const SIDE = max(N, K);           // what is a column in one product may be a step of depth in the other
const ROWS = max(M, 16);          // of Q in a workgroup
const COLS = max(SIDE, 16);       // rows of K and V at a time
const LANES = INVOCATIONS / ROWS; // invocations that share a row of scores
override WIDTH = (HEAD + SIDE - 1) / SIDE * SIDE;
const NOTHING = -3.0e38;          // the greatest of no scores

alias Left = subgroup_matrix_left<f32, K, M>;
alias Right = subgroup_matrix_right<f32, N, K>;
alias Result = subgroup_matrix_result<f32, N, M>;

var<workgroup> q_rows: array<f32, ROWS * WIDTH>;
var<workgroup> kv_rows: array<f32, COLS * WIDTH>;
var<workgroup> o_rows: array<f32, ROWS * WIDTH>;
var<workgroup> scores: array<f32, ROWS * COLS>;
var<workgroup> partial: array<f32, INVOCATIONS>;
var<workgroup> greatest: array<f32, ROWS>;
var<workgroup> total: array<f32, ROWS>;
var<workgroup> shrink: array<f32, ROWS>;

fn sees(row: u32, col: u32) -> bool {
    return row < params.n_q && col < params.n_kv
        && (params.causal == 0 || col + params.n_q <= row + params.n_kv);
}

// Scores of the block, tiles of q_rows * kv_rows^T.
fn multiply_scores(subgroup: u32, subgroups: u32) {
    for (var tile = subgroup; tile < ROWS / M * (COLS / N); tile += subgroups) {
        let r = tile / (COLS / N) * M;
        let c = tile % (COLS / N) * N;
        var sum = Result();
        for (var d = 0u; d < WIDTH; d += K) {
            let left = subgroupMatrixLoad<Left, row_major>(&q_rows, r * WIDTH + d, WIDTH);
            let right = subgroupMatrixLoad<Right, col_major>(&kv_rows, c * WIDTH + d, WIDTH);
            sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
        }
        subgroupMatrixStore<row_major>(&scores, r * COLS + c, sum, COLS);
    }
}

// o_rows += scores * kv_rows.
fn multiply_values(subgroup: u32, subgroups: u32) {
    let across = WIDTH / N;
    for (var tile = subgroup; tile < ROWS / M * across; tile += subgroups) {
        let at = tile / across * M * WIDTH + tile % across * N;
        var sum = subgroupMatrixLoad<Result, row_major>(&o_rows, at, WIDTH);
        for (var j = 0u; j < COLS; j += K) {
            let left = subgroupMatrixLoad<Left, row_major>(&scores, tile / across * M * COLS + j, COLS);
            let right = subgroupMatrixLoad<Right, row_major>(&kv_rows, j * WIDTH + tile % across * N, WIDTH);
            sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
        }
        subgroupMatrixStore<row_major>(&o_rows, at, sum, WIDTH);
    }
}

// One block's step of the online softmax: scores become exponentials, o_rows and total shrink where the greatest grew.
fn softmax_step(row0: u32, col0: u32, lane: u32) {
    let r = lane / LANES;
    let part = lane % LANES;
    var most = NOTHING;
    for (var j = part; j < COLS; j += LANES) {
        var s = NOTHING;
        if (sees(row0 + r, col0 + j)) {
            s = scores[r * COLS + j] * params.scale;
            if (params.has_mask != 0) {
                s += mask[(row0 + r) * params.n_kv + col0 + j];
            }
            s = max(s, NOTHING);
        }
        scores[r * COLS + j] = s;
        most = max(most, s);
    }
    partial[lane] = most;
    workgroupBarrier();

    if (part == 0) {
        var now = greatest[r];
        for (var j = 0u; j < LANES; j++) {
            now = max(now, partial[r * LANES + j]);
        }
        shrink[r] = exp(greatest[r] - now);
        greatest[r] = now;
    }
    workgroupBarrier();

    var sum = 0.0;
    for (var j = part; j < COLS; j += LANES) {
        let s = scores[r * COLS + j];
        let p = select(exp(s - greatest[r]), 0.0, s <= NOTHING);
        scores[r * COLS + j] = p;
        sum += p;
    }
    partial[lane] = sum;
    for (var i = lane; i < ROWS * WIDTH; i += INVOCATIONS) {
        o_rows[i] *= shrink[i / WIDTH];
    }
    workgroupBarrier();

    if (part == 0) {
        var now = total[r] * shrink[r];
        for (var j = 0u; j < LANES; j++) {
            now += partial[r * LANES + j];
        }
        total[r] = now;
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) subgroups: u32) {
    let row0 = group.x * ROWS;
    let q0 = group.y * params.n_q * HEAD;
    let kv0 = group.y * params.n_kv * HEAD;

    for (var i = lane; i < ROWS * WIDTH; i += INVOCATIONS) {
        let r = i / WIDTH;
        let d = i % WIDTH;
        q_rows[i] = 0.0;
        if (row0 + r < params.n_q && d < HEAD) {
            q_rows[i] = q[q0 + (row0 + r) * HEAD + d];
        }
        o_rows[i] = 0.0;
    }
    if (lane < ROWS) {
        greatest[lane] = NOTHING;
        total[lane] = 0.0;
    }

    for (var col0 = 0u; col0 < params.n_kv; col0 += COLS) {
        for (var i = lane; i < COLS * WIDTH; i += INVOCATIONS) {
            let r = col0 + i / WIDTH;
            let d = i % WIDTH;
            kv_rows[i] = 0.0;
            if (r < params.n_kv && d < HEAD) {
                kv_rows[i] = k[kv0 + r * HEAD + d];
            }
        }
        workgroupBarrier();
        multiply_scores(subgroup, subgroups);
        workgroupBarrier();
        softmax_step(row0, col0, lane);
        for (var i = lane; i < COLS * WIDTH; i += INVOCATIONS) {
            let r = col0 + i / WIDTH;
            let d = i % WIDTH;
            kv_rows[i] = 0.0;
            if (r < params.n_kv && d < HEAD) {
                kv_rows[i] = v[kv0 + r * HEAD + d];
            }
        }
        workgroupBarrier();
        multiply_values(subgroup, subgroups);
        workgroupBarrier();
    }

    for (var i = lane; i < ROWS * WIDTH; i += INVOCATIONS) {
        let r = i / WIDTH;
        let d = i % WIDTH;
        if (row0 + r < params.n_q && d < HEAD) {
            o[q0 + (row0 + r) * HEAD + d] = select(o_rows[i] / total[r], 0.0, total[r] == 0.0);
        }
    }
}
