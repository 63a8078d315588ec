//! error line 7 E0803 "`subgroupAdd` must only be called"
// Outside compute the subgroup size may differ.
enable subgroups;
@fragment
fn main(@builtin(subgroup_size) n: u32) {
    if n == 32 {
        _ = subgroupAdd(n);
    }
}
