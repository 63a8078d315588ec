// The last steps of the tree have no barrier, as if 32 invocations went in lockstep.
//! run --bind 0,0=iota:f32:64 --bind 0,1=zeros:f32:1
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<f32>;

var<workgroup> part: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    part[lane] = a[lane];
    workgroupBarrier();
    for (var step = 32u; step > 0u; step /= 2u) {
        if (lane < step) {
            part[lane] += part[lane + step]; // <- S0301
        }
    }
    if (lane == 0u) {
        total[0] = part[0];
    }
}
