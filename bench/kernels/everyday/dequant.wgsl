// y = q * x, 2048 x 2048; q: blocks of 32 weights of 4 bits behind an f32 scale, 5 words; a workgroup a row.
@group(0) @binding(0) var<storage, read> q: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

const BLOCKS = 64u; // in a row
const SIZE = 32u;
var<workgroup> part: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    var sum = 0.0;
    for (var b = local; b < BLOCKS; b += SIZE) {
        let at = (group.x * BLOCKS + b) * 5u;
        let scale = bitcast<f32>(q[at]);
        var s = 0.0;
        for (var w = 0u; w < 4u; w++) {
            let bits = q[at + 1u + w];
            for (var i = 0u; i < 8u; i++) {
                s += f32(i32((bits >> (i * 4u)) & 15u) - 8) * x[b * 32u + w * 8u + i];
            }
        }
        sum += scale * s;
    }
    part[local] = sum;
    workgroupBarrier();
    if (local == 0u) {
        var all = 0.0;
        for (var i = 0u; i < SIZE; i++) {
            all += part[i];
        }
        y[group.x] = all;
    }
}
