// out[g] = the sum of 16384 elements: subgroup sums, then one of them in workgroup memory.
enable subgroups;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

const PART = 16384u;
var<workgroup> partial: array<f32, 64>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32, @builtin(num_subgroups) subgroups: u32) {
    var sum = 0.0;
    for (var i = lane; i < PART; i += 256u) {
        sum += x[group.x * PART + i];
    }
    let all = subgroupAdd(sum);
    if (subgroupElect()) {
        partial[subgroup] = all;
    }
    workgroupBarrier();
    if (lane == 0u) {
        var total = 0.0;
        for (var s = 0u; s < subgroups; s++) {
            total += partial[s];
        }
        out[group.x] = total;
    }
}
