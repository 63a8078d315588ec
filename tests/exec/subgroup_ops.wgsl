//! subgroups 4 8 16 32 64 128
//! d       u32 128x8 marker
//! expect  d == values 1
// Every invocation compares with what the definition gives; 1 is right.
diagnostic(off, subgroup_uniformity);
enable subgroups;

@group(0) @binding(0) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) i: u32,
        @builtin(subgroup_id) id: u32,
        @builtin(num_subgroups) count: u32,
        @builtin(subgroup_invocation_id) lane: u32,
        @builtin(subgroup_size) size: u32) {
    let first = i - lane;
    let n = size;
    d[i] = u32(id * size + lane == i && count * size == 128);
    d[i + 128] = u32(subgroupAdd(i) == n * first + n * (n - 1) / 2);
    d[i + 256] = u32(subgroupExclusiveAdd(i) == lane * first + lane * (lane - 1) / 2 || lane == 0)
        & u32(subgroupInclusiveAdd(1u) == lane + 1);
    d[i + 384] = u32(subgroupMax(i) == first + n - 1) & u32(subgroupMin(i) == first) & u32(subgroupMul(select(1u, 3u, lane == 2)) == 3);
    d[i + 512] = u32(subgroupBroadcast(i, 3) == first + 3) & u32(subgroupBroadcastFirst(i) == first);
    d[i + 640] = u32(subgroupShuffleXor(i, 1) == (i ^ 1)) & u32(subgroupShuffle(i, n - 1 - lane) == first + n - 1 - lane);
    let up = subgroupShuffleUp(i, 1);
    let down = subgroupShuffleDown(i, 1);
    d[i + 768] = u32(lane == 0 || up == i - 1) & u32(lane == n - 1 || down == i + 1);
    var voters = vec4<u32>();
    if (lane % 2 == 1) {
        voters = subgroupBallot(lane % 4 == 3);
    } else {
        voters = subgroupBallot(lane % 4 == 2);
    }
    let word = (voters[lane / 32] >> (lane % 32 / 4 * 4)) & 15;
    d[i + 896] = u32(word == select(4u, 8u, lane % 2 == 1)) & u32(subgroupAny(lane == 1)) & u32(!subgroupAll(lane == 1))
        & u32(subgroupElect() == (lane == 0)) & u32(subgroupOr(1u << (lane % 4)) == 15) & u32(subgroupXor(1u) == 0);
}
