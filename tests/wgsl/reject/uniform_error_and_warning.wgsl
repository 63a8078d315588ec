//! warning line 11 E0803 "`subgroupAdd` must only be called"
//! error line 14 E0800 "`workgroupBarrier` must only be called"
// An error and a warning with causes of their own.
enable subgroups;
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    @diagnostic(warning, subgroup_uniformity)
    if lid == 0 {
        _ = subgroupAdd(1u);
    }
    if rw[0] == 0 {
        workgroupBarrier();
    }
}
