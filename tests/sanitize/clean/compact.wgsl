// Keeps the odd numbers in order, by ballots and a scan over subgroups.
//! run --bind 0,0=random:u32:128:1 --bind 0,1=zeros:u32:128 --bind 0,2=zeros:u32:1
enable subgroups;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> kept: array<u32>;
@group(0) @binding(2) var<storage, read_write> count: u32;

var<workgroup> counts: array<u32, 32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32, @builtin(subgroup_invocation_id) lane: u32) {
    let odd = a[tid] % 2u == 1u;
    let before = subgroupExclusiveAdd(u32(odd));
    let votes = countOneBits(subgroupBallot(odd));
    if (lane == 0u) {
        counts[sg] = votes.x + votes.y + votes.z + votes.w;
    }
    workgroupBarrier();
    var start = 0u;
    for (var i = 0u; i < sg; i++) {
        start += counts[i];
    }
    if (odd) {
        kept[start + before] = a[tid];
    }
    if (tid == 0u) {
        var all = 0u;
        for (var i = 0u; i < sgs; i++) {
            all += counts[i];
        }
        count = all;
    }
}
