//! error line 8 E0804 "the argument `delta` of `subgroupShuffleDown` must be uniform"
// Downwards as well.
enable subgroups;
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = subgroupShuffleDown(lid, rw[0]);
}
