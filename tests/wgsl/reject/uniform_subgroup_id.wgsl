//! error line 8 E0800 "`workgroupBarrier` must only be called"
// The subgroup is the same for some invocations of the workgroup only.
enable subgroups;

@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) sid: u32) {
    if sid == 0 {
        workgroupBarrier();
    }
}
