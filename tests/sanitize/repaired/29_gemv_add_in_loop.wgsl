//! run --dispatch 7 --bind 0,0=random:f32:26x45:1 --bind 0,1=random:f32:45:2 --bind 0,2=zeros:f32:26 --bind 0,3=values:u32:26,45
// y = W * x, one row a subgroup, the total kept in every lane.
diagnostic(off, subgroup_uniformity);
enable subgroups;

struct Params {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const ROWS = 4u;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) lane: u32,
        @builtin(subgroup_size) size: u32) {
    for (var i = sg; i < ROWS; i += sgs) {
        let row = wg.x * ROWS + i;
        if (row < params.n) {
            var total = 0.0;
            for (var k = lane; k < params.k; k += size) {
                total += w[row * params.k + k] * x[k];
            }
            total = subgroupAdd(total);
            if (lane == size - 1u) {
                y[row] = total;
            }
        }
    }
}
