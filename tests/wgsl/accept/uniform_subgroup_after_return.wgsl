// Whole subgroups have returned.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(subgroup_id) sid: u32) {
    if sid > 1 {
        return;
    }
    _ = subgroupMax(lid);
}
