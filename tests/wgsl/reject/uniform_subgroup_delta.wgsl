//! error line 7 E0804 "the argument `delta` of `subgroupShuffleUp` must be uniform"
// The distance of a shuffle must be one number.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(subgroup_invocation_id) siv: u32) {
    _ = subgroupShuffleUp(lid, siv);
}
