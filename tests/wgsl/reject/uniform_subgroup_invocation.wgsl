//! error line 8 E0803 "`subgroupBallot` must only be called"
// The number within the subgroup.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(subgroup_invocation_id) siv: u32) {
    if siv == 0 {
        _ = subgroupBallot(true);
    }
}
