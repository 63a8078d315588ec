// An inclusive scan of 256 numbers: subgroups scan, their totals are scanned by one invocation, then added.
//! run --bind 0,0=random:u32:512:1 --bind 0,1=zeros:u32:512 --dispatch 2
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> totals: array<u32, 64>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32) {
    let scan = subgroupInclusiveAdd(a[id.x]);
    if (lane == size - 1u) {
        totals[sg] = scan;
    }
    workgroupBarrier();
    if (tid == 0u) {
        var before = 0u;
        for (var i = 0u; i < sgs; i++) {
            let mine = totals[i];
            totals[i] = before;
            before += mine;
        }
    }
    workgroupBarrier();
    sums[id.x] = scan + totals[sg];
}
