//! error line 9 E0800 "`workgroupBarrier` must only be called"
//! error line 12 E0800 "`workgroupBarrier` must only be called"
// Two causes, two messages; the third barrier has the cause of the second.
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if lid == 0 {
        workgroupBarrier();
    }
    if rw[0] == 0 {
        workgroupBarrier();
        storageBarrier();
    }
}
