//! error line 5 E0804 "the argument `delta` of `subgroupShuffleUp` must be uniform"
// A parameter that a shuffle needs.
enable subgroups;
fn f(n: u32) {
    _ = subgroupShuffleUp(1u, n & 3);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    f(lid);
}
