//! error line 10 E0800 "`workgroupBarrier` must only be called"
// A pointer to a part writes a part.

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    let p = &a[lid & 3];
    *p = 0;
    if a[0] == 0 {
        workgroupBarrier();
    }
}
