// Softmax of each row of 256 x 1024, trees in workgroup memory; a workgroup a row.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

const N = 1024u;
const SIZE = 256u;
var<workgroup> part: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.x * N;
    var top = -1e30;
    for (var i = local; i < N; i += SIZE) {
        top = max(top, x[row + i]);
    }
    part[local] = top;
    workgroupBarrier();
    for (var s = SIZE / 2u; s > 0u; s >>= 1u) {
        if (local < s) {
            part[local] = max(part[local], part[local + s]);
        }
        workgroupBarrier();
    }
    top = part[0];
    workgroupBarrier();
    var sum = 0.0;
    for (var i = local; i < N; i += SIZE) {
        sum += exp(x[row + i] - top);
    }
    part[local] = sum;
    workgroupBarrier();
    for (var s = SIZE / 2u; s > 0u; s >>= 1u) {
        if (local < s) {
            part[local] += part[local + s];
        }
        workgroupBarrier();
    }
    sum = part[0];
    for (var i = local; i < N; i += SIZE) {
        y[row + i] = exp(x[row + i] - top) / sum;
    }
}
