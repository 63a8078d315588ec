// Attention with f32 sums: the result of the first multiply goes through workgroup memory and comes back as a left operand.
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
struct Params { q_len: u32, kv_len: u32, head: u32, scale: f32, causal: u32, }
@group(0) @binding(0) var<storage, read> q: array<f16>;
@group(0) @binding(1) var<storage, read> k: array<f16>;
@group(0) @binding(2) var<storage, read> v: array<f16>;
@group(0) @binding(3) var<storage, read_write> o: array<f32>;
@group(0) @binding(4) var<uniform> p: Params;
const rows = 16u;
const cols = 16u;
const depth = 16u;
const max_head = 128u;
alias Score = subgroup_matrix_result<f32, cols, rows>;
var<workgroup> score: array<f32, rows * cols>;
var<workgroup> weight: array<f16, rows * cols>;
var<workgroup> row_max: array<f32, rows>;
var<workgroup> row_sum: array<f32, rows>;
var<workgroup> row_old: array<f32, rows>;
var<workgroup> out: array<f32, rows * max_head>;
fn is_open(row: u32, col: u32) -> bool { return col < p.kv_len && (p.causal == 0 || col <= row); }
@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32, @builtin(subgroup_id) sg: u32) {
    let first = group.x * rows;
    if i < rows { row_max[i] = -1e30; row_sum[i] = 0; }
    for (var e = i; e < rows * max_head; e += 128) { out[e] = 0; }
    workgroupBarrier();
    for (var at = 0u; at < p.kv_len; at += cols) {
        if sg == 0 {
            var s = Score();
            for (var d = 0u; d < p.head; d += depth) {
                let left = subgroupMatrixLoad<subgroup_matrix_left<f16, depth, rows>>(&q, first * p.head + d, false, p.head);
                let right = subgroupMatrixLoad<subgroup_matrix_right<f16, cols, depth>>(&k, at * p.head + d, true, p.head);
                s = subgroupMatrixMultiplyAccumulate(left, right, s);
            }
            subgroupMatrixStore(&score, 0, subgroupMatrixScalarMultiply(s, p.scale), false, cols);
        }
        workgroupBarrier();
        if i < rows {
            var top = row_max[i];
            for (var c = 0u; c < cols; c++) {
                if is_open(first + i, at + c) { top = max(top, score[i * cols + c]); }
            }
            let shrink = exp(row_max[i] - top);
            var sum = row_sum[i] * shrink;
            for (var c = 0u; c < cols; c++) {
                let w = select(0, exp(score[i * cols + c] - top), is_open(first + i, at + c));
                weight[i * cols + c] = f16(w);
                sum += w;
            }
            row_max[i] = top;
            row_sum[i] = sum;
            row_old[i] = shrink;
        }
        workgroupBarrier();
        for (var e = i; e < rows * p.head; e += 128) { out[e / p.head * max_head + e % p.head] *= row_old[e / p.head]; }
        workgroupBarrier();
        if sg == 0 {
            let w = subgroupMatrixLoad<subgroup_matrix_left<f16, cols, rows>>(&weight, 0, false, cols);
            for (var d = 0u; d < p.head; d += 16) {
                let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, cols>>(&v, at * p.head + d, false, p.head);
                var sum = subgroupMatrixLoad<subgroup_matrix_result<f32, 16, rows>>(&out, d, false, max_head);
                sum = subgroupMatrixMultiplyAccumulate(w, right, sum);
                subgroupMatrixStore(&out, d, sum, false, max_head);
            }
        }
        workgroupBarrier();
    }
    for (var e = i; e < rows * p.head; e += 128) {
        let r = e / p.head;
        if first + r < p.q_len {
            o[(first + r) * p.head + e % p.head] = select(out[r * max_head + e % p.head] / row_sum[r], 0, row_sum[r] == 0);
        }
    }
}
