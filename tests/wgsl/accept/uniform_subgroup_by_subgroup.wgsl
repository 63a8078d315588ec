// All of one subgroup go the same way.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(subgroup_id) sid: u32) {
    if sid == 0 {
        _ = subgroupAdd(lid);
    }
}
