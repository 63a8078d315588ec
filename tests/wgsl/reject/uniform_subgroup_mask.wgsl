//! error line 7 E0804 "the argument `mask` of `subgroupShuffleXor` must be uniform"
// And the mask.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = subgroupShuffleXor(lid, lid & 1);
}
