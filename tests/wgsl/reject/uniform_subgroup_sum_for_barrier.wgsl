//! error line 8 E0800 "`workgroupBarrier` must only be called"
// A sum is one number a subgroup, not a workgroup.
enable subgroups;

@compute @workgroup_size(64)
fn main() {
    if subgroupAdd(1u) == 3 {
        workgroupBarrier();
    }
}
