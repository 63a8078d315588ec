// O = softmax(Q K^T / sqrt(HEAD)) V for each head, f32, plain row-major [heads, tokens, HEAD]; tokens a multiple of the blocks. Scores
// are kept turned, [keys, queries]: an invocation then has a query of its own, keys go by in rows, and nothing but Q is transposed.
//
//   dispatch (tokens / 128, heads, 1)

diagnostic(off, chromium.subgroup_matrix_uniformity);

enable subgroups;
enable chromium_experimental_subgroup_matrix;

const HEAD = 64u;  // of one head: 64 or 128

const INVOCATIONS = 32u; // one subgroup
const QUERIES = 128u;
const KEYS = 64u;

struct Shape {
    tokens: u32,
    scale: f32, // log2(e) / sqrt(HEAD)
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> o: array<f32>;
@group(0) @binding(4) var<uniform> shape: Shape;

alias KeyMatrix = subgroup_matrix_left<f32, HEAD, KEYS>;
alias QueryMatrix = subgroup_matrix_right<f32, QUERIES, HEAD>;
alias ScoreMatrix = subgroup_matrix_result<f32, QUERIES, KEYS>;
alias WeightMatrix = subgroup_matrix_left<f32, KEYS, QUERIES>;
alias ValueMatrix = subgroup_matrix_right<f32, HEAD, KEYS>;
alias OutputMatrix = subgroup_matrix_result<f32, HEAD, QUERIES>;

var<workgroup> query: array<f32, HEAD * QUERIES>; // turned, scaled
var<workgroup> score: array<f32, KEYS * QUERIES>;
var<workgroup> sum: array<f32, QUERIES * HEAD>;
var<workgroup> greatest: array<f32, QUERIES>;
var<workgroup> total: array<f32, QUERIES>;
var<workgroup> shrink: array<f32, QUERIES>;

fn load_queries(lane: u32, start: u32) {
    for (var i = lane; i < QUERIES; i += INVOCATIONS) {
        for (var d = 0u; d < HEAD; d++) {
            query[d * QUERIES + i] = q[start + i * HEAD + d] * shape.scale;
        }
        greatest[i] = -3e38;
        total[i] = 0.0;
    }
    for (var i = lane; i < QUERIES * HEAD; i += INVOCATIONS) {
        sum[i] = 0.0;
    }
}

// Scores become weights; what was summed up before shrinks when a greater score comes.
// Whether one came.
fn weigh(lane: u32) -> bool {
    var came = false;
    for (var i = lane; i < QUERIES; i += INVOCATIONS) {
        let before = greatest[i];
        var now = before;
        for (var j = 0u; j < KEYS; j++) {
            let s = score[j * QUERIES + i];
            now = select(now, s, s > now);
        }
        var more = 0.0;
        for (var j = 0u; j < KEYS; j++) {
            let w = exp2(score[j * QUERIES + i] - now);
            score[j * QUERIES + i] = w;
            more += w;
        }
        let less = exp2(before - now);
        total[i] = total[i] * less + more;
        greatest[i] = now;
        shrink[i] = less;
        came = came || now > before;
    }
    return subgroupAny(came);
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let head = group.y * shape.tokens * HEAD;
    let start = head + group.x * QUERIES * HEAD;
    load_queries(lane, start);
    workgroupBarrier();
    for (var key = 0u; key < shape.tokens; key += KEYS) {
        let keys = subgroupMatrixLoad<KeyMatrix>(&k, head + key * HEAD, false, HEAD);
        let queries = subgroupMatrixLoad<QueryMatrix>(&query, 0, false, QUERIES);
        subgroupMatrixStore(&score, 0, subgroupMatrixMultiplyAccumulate(keys, queries, ScoreMatrix()), false, QUERIES);
        workgroupBarrier();
        let came = weigh(lane);
        workgroupBarrier();
        for (var row = 0u; came && row < QUERIES; row++) {
            let less = shrink[row];
            for (var d = lane; d < HEAD; d += INVOCATIONS) {
                sum[row * HEAD + d] *= less;
            }
        }
        workgroupBarrier();
        let weights = subgroupMatrixLoad<WeightMatrix>(&score, 0, true, QUERIES);
        let values = subgroupMatrixLoad<ValueMatrix>(&v, head + key * HEAD, false, HEAD);
        let before = subgroupMatrixLoad<OutputMatrix>(&sum, 0, false, HEAD);
        subgroupMatrixStore(&sum, 0, subgroupMatrixMultiplyAccumulate(weights, values, before), false, HEAD);
        workgroupBarrier();
    }
    for (var row = 0u; row < QUERIES; row++) {
        let all = 1.0 / total[row];
        for (var d = lane; d < HEAD; d += INVOCATIONS) {
            o[start + row * HEAD + d] = sum[row * HEAD + d] * all;
        }
    }
}
