//! error line 4 E0205 "subgroups_f16"
//! error line 5 E0205 "chromium_experimental_subgroups"
// Names that no implementation takes any more; the notes say what to write.
enable subgroups_f16;
enable chromium_experimental_subgroups;
enable f16, subgroups;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    _ = subgroupAdd(f16(lid));
}
