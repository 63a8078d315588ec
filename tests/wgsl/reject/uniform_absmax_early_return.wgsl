//! error line 16 E0803
// Greatest magnitude of a tensor, the first pass of dynamic i8 quantisation. Magnitudes compare as their bits.
enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> amax_bits: atomic<u32>;
@group(0) @binding(2) var<uniform> count: u32;

@compute @workgroup_size(64)
fn absmax(@builtin(global_invocation_id) gid: vec3<u32>) {
    let i = gid.x;
    if (i >= count) {
        return;
    }
    let magnitude = abs(x[i]);
    let greatest = subgroupMax(magnitude);
    if (subgroupElect()) {
        atomicMax(&amax_bits, bitcast<u32>(greatest));
    }
}
