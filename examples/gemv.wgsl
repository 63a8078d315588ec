//! check --bind 0,0=random:f32:45x129:1 --bind 0,1=random:f32:129:2 --bind 0,2=zeros:f32:45 --bind 0,3=values:u32:45,129
//! check --dispatch 2
// y = W * x in f32: the product for a single row, where matrix units do not pay and memory speed decides.
//
//   w  [n, k] row-major   x  [k]   y  [n]
//
// Each subgroup makes one element of y at a time: its invocations walk the row side by side and add up at the end. Right
// for every subgroup size; one workgroup makes 32 elements.

enable subgroups;

struct Sizes {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const INVOCATIONS = 128u;
const ROWS = 32u;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) subgroups: u32,
        @builtin(subgroup_invocation_id) lane: u32,
        @builtin(subgroup_size) size: u32) {
    for (var i = 0u; i < ROWS; i += subgroups) {
        let row = group.x * ROWS + i + subgroup;
        let there = i + subgroup < ROWS && row < sizes.n;
        var sum = 0.0;
        if (there) {
            for (var k = lane; k < sizes.k; k += size) {
                sum = fma(w[row * sizes.k + k], x[k], sum);
            }
        }
        let total = subgroupAdd(sum);
        if (there && lane == 0) {
            y[row] = total;
        }
    }
}
