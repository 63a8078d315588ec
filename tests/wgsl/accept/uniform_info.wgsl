//! info line 9 E0803 "`subgroupAdd` must only be called"
// Nor is a remark.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    @diagnostic(info, subgroup_uniformity)
    if lid == 0 {
        _ = subgroupAdd(1u);
    }
}
