//! warning line 9 E0803 "`subgroupAdd` must only be called"
// A warning is no error.
enable subgroups;
diagnostic(warning, subgroup_uniformity);

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        _ = subgroupAdd(1u);
    }
}
