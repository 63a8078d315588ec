// Switched off for a statement.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    @diagnostic(off, subgroup_uniformity)
    if lid == 0 {
        _ = subgroupAdd(1u);
    }
}
