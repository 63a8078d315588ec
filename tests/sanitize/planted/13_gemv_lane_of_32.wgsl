// Planted: assumed subgroup size 32.
//! run --subgroup-size 16 --dispatch 10 --bind 0,0=random:f32:37x53:1 --bind 0,1=random:f32:53:2 --bind 0,2=zeros:f32:37 --bind 0,3=values:u32:37,53
// mul_mat_vec: y[n] = W[n, k] * x[k], one row a warp, four rows a workgroup.
enable subgroups;

struct Params {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const WARP = 32u;
const ROWS = 4u;

@compute @workgroup_size(WARP * ROWS)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let row = wg.x * ROWS + tid / WARP;
    let lane = tid % WARP;
    var sum = 0.0;
    if (row < params.n) {
        for (var k = lane; k < params.k; k += WARP) {
            sum += w[row * params.k + k] * x[k];
        }
    }
    sum = subgroupAdd(sum); // <- S0901
    if (lane == 0u && row < params.n) {
        y[row] = sum;
    }
}
