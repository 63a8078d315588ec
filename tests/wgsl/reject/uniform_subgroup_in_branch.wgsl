//! error line 8 E0803 "`subgroupAdd` must only be called"
// Within the subgroup, some go another way.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        _ = subgroupAdd(1u);
    }
}
