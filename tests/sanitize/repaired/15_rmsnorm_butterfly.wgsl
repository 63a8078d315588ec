//! run --subgroup-size 16 --dispatch 5 --bind 0,0=random:f32:5x77:1 --bind 0,1=random:f32:77:2 --bind 0,2=zeros:f32:5x77 --bind 0,3=struct:u32=77,f32=0.00001
// RMS norm: y = x / sqrt(mean(x^2) + eps) * weight, one row a workgroup.
enable subgroups;

struct Params {
    n: u32,
    eps: f32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const THREADS = 128u;
var<workgroup> warp_sums: array<f32, THREADS>;

fn warp_reduce(value: f32, size: u32) -> f32 {
    var v = value;
    for (var offset = size / 2u; offset > 0u; offset /= 2u) {
        v += subgroupShuffleXor(v, offset);
    }
    return v;
}

@compute @workgroup_size(THREADS)
fn rms_norm(@builtin(workgroup_id) wg: vec3<u32>,
            @builtin(local_invocation_index) tid: u32,
            @builtin(subgroup_id) sg: u32,
            @builtin(num_subgroups) sgs: u32,
            @builtin(subgroup_invocation_id) sl: u32,
            @builtin(subgroup_size) size: u32) {
    let base = wg.x * params.n;
    var sum = 0.0;
    for (var i = tid; i < params.n; i += THREADS) {
        let v = x[base + i];
        sum = fma(v, v, sum);
    }
    sum = warp_reduce(sum, size);
    if (sl == 0u) {
        warp_sums[sg] = sum;
    }
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < sgs; i++) {
        total += warp_sums[i];
    }
    let scale = inverseSqrt(total / f32(params.n) + params.eps);
    for (var i = tid; i < params.n; i += THREADS) {
        y[base + i] = x[base + i] * scale * weight[i];
    }
}
