// A matrix extension brings the subgroup built-in values and functions along: "WGSL does not require any subgroups enable".
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32, @builtin(num_subgroups) subgroups: u32,
        @builtin(subgroup_size) size: u32, @builtin(subgroup_invocation_id) lane: u32) {
    let sum = subgroupAdd(lane);
    if (lane == 0) {
        sums[subgroup] = sum + subgroups * size;
    }
}
