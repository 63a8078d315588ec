// For the subgroup it is one, when what is added is.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(subgroup_id) sid: u32) {
    if subgroupAdd(sid) == 3 {
        _ = subgroupAny(lid == 3);
    }
}
