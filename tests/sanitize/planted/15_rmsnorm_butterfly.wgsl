// Planted: assumed subgroup size 32.
//! run --subgroup-size 16 --dispatch 5 --bind 0,0=random:f32:5x77:1 --bind 0,1=random:f32:77:2 --bind 0,2=zeros:f32:5x77 --bind 0,3=struct:u32=77,f32=0.00001
//! also S0901
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
const WARPS = THREADS / 32u;
var<workgroup> warp_sums: array<f32, WARPS>;

fn warp_reduce(value: f32) -> f32 {
    var v = value;
    for (var offset = 16u; offset > 0u; offset /= 2u) {
        v += subgroupShuffleXor(v, offset); // <- S0406
    }
    return v;
}

@compute @workgroup_size(THREADS)
fn rms_norm(@builtin(workgroup_id) wg: vec3<u32>,
            @builtin(local_invocation_index) tid: u32) {
    let base = wg.x * params.n;
    var sum = 0.0;
    for (var i = tid; i < params.n; i += THREADS) {
        let v = x[base + i];
        sum = fma(v, v, sum);
    }
    sum = warp_reduce(sum);
    if (tid % 32u == 0u) {
        warp_sums[tid / 32u] = sum;
    }
    workgroupBarrier();
    var total = 0.0;
    for (var i = 0u; i < WARPS; i++) {
        total += warp_sums[i];
    }
    let scale = inverseSqrt(total / f32(params.n) + params.eps);
    for (var i = tid; i < params.n; i += THREADS) {
        y[base + i] = x[base + i] * scale * weight[i];
    }
}
