// Planted: data race.
//! run --dispatch 3 --bind 0,0=random:f32:21x53:4 --bind 0,1=zeros:f32:21x53 --bind 0,2=values:u32:21,53
// Softmax over the rows of a score matrix, 8 rows a workgroup, 8 invocations a row.
struct Shape {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<storage, read> scores: array<f32>;
@group(0) @binding(1) var<storage, read_write> probs: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

const ROWS = 8u;
const LANES = 8u;

var<workgroup> partial: array<f32, ROWS * LANES>;
var<workgroup> row_sum: array<f32, ROWS>;

@compute @workgroup_size(64)
fn softmax_rows(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let r = tid / LANES;
    let lane = tid % LANES;
    let row = wg.x * ROWS + r;
    let valid = row < shape.rows;
    let base = row * shape.cols;

    var m = -1.0e30;
    if (valid) {
        for (var c = lane; c < shape.cols; c += LANES) {
            m = max(m, scores[base + c]);
        }
    }
    partial[tid] = m;
    if (lane == 0u) {
        row_sum[r] = 0.0;
    }
    workgroupBarrier();
    for (var j = 0u; j < LANES; j++) {
        m = max(m, partial[r * LANES + j]);
    }

    var sum = 0.0;
    if (valid) {
        for (var c = lane; c < shape.cols; c += LANES) {
            sum += exp(scores[base + c] - m);
        }
    }
    row_sum[r] += sum; // <- S0301
    workgroupBarrier();
    if (valid) {
        for (var c = lane; c < shape.cols; c += LANES) {
            probs[base + c] = exp(scores[base + c] - m) / row_sum[r];
        }
    }
}
