//! error line 10 E0803 "`subgroupAdd` must only be called"
// The nearest filter counts.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    @diagnostic(off, subgroup_uniformity)
    if lid == 0 {
        @diagnostic(error, subgroup_uniformity) {
            _ = subgroupAdd(1u);
        }
    }
}
