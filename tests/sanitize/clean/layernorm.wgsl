// Mean and variance of each row by workgroupUniformLoad, in f16 with sums in f32.
//! run --bind 0,0=random:f16:3x96:1 --bind 0,1=random:f16:96:2 --bind 0,2=zeros:f16:3x96 --dispatch 3
enable f16;
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> weight: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f16>;

const COLS = 96u;
var<workgroup> part: array<vec2<f32>, 32>;
var<workgroup> moments: vec2<f32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let row = wg.x * COLS;
    var sum = vec2<f32>();
    for (var i = tid; i < COLS; i += 32u) {
        let v = f32(a[row + i]);
        sum += vec2(v, v * v);
    }
    part[tid] = sum;
    workgroupBarrier();
    if (tid == 0u) {
        var all = vec2<f32>();
        for (var i = 0u; i < 32u; i++) {
            all += part[i];
        }
        moments = all / f32(COLS);
    }
    let m = workgroupUniformLoad(&moments);
    let scale = inverseSqrt(m.y - m.x * m.x + 1e-5);
    for (var i = tid; i < COLS; i += 32u) {
        c[row + i] = f16((f32(a[row + i]) - m.x) * scale) * weight[i];
    }
}
