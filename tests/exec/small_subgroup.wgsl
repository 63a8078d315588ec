//! subgroups all
//! d u32 6 marker
//! expect d == values 1 1 1 1 1 1
// A workgroup that is smaller than a subgroup, where the size of subgroups shows.
enable subgroups;
@group(0) @binding(0) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(3)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) size: u32, @builtin(num_subgroups) count: u32) {
    let all = subgroupBallot(true);
    d[lane] = u32(size >= 4u && count == 1u);
    d[lane + 3u] = u32(all.x == 7u && all.y == 0u);
}
