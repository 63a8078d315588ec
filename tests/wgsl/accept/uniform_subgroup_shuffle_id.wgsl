// The source of a plain shuffle may differ.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(subgroup_id) sid: u32, @builtin(subgroup_invocation_id) siv: u32) {
    _ = subgroupShuffle(lid, siv ^ 1);
    _ = subgroupShuffleUp(lid, sid);
}
