//! error line 8 E0803 "`subgroupAny` must only be called"
// The analysis does not know that a sum of different values is one value.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if subgroupAdd(lid) == 3 {
        _ = subgroupAny(lid == 3);
    }
}
