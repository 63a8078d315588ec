// A sum in two steps: each subgroup by itself, then the first one over the subgroups' sums.
//! run --bind 0,0=random:f32:1000:1 --bind 0,1=zeros:f32:4 --dispatch 4
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

var<workgroup> part: array<f32, 64>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32, @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) lane: u32) {
    var v = 0.0;
    if (id.x < arrayLength(&a)) {
        v = a[id.x];
    }
    let sum = subgroupAdd(v);
    if (lane == 0u) {
        part[sg] = sum;
    }
    workgroupBarrier();
    if (tid == 0u) {
        var total = 0.0;
        for (var i = 0u; i < sgs; i++) {
            total += part[i];
        }
        sums[wg.x] = total;
    }
}
