//! error line 5 E0803 "`subgroupAdd` must only be called"
// What counts is where the operation stands, not the call.
enable subgroups;
fn f() {
    _ = subgroupAdd(1u);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    @diagnostic(off, subgroup_uniformity)
    if lid == 0 {
        f();
    }
}
