//! error line 8 E0800 "`workgroupBarrier` must only be called"
// The same memory, but another place for each.
@group(0) @binding(1) var<storage, read> ro: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if ro[lid] == 0 {
        workgroupBarrier();
    }
}
