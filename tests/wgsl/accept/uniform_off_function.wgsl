// Switched off for a function: its callers need nothing for it.
enable subgroups;
@diagnostic(off, subgroup_uniformity)
fn f() {
    _ = subgroupAdd(1u);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        f();
    }
}
