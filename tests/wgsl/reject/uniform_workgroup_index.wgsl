//! error line 7 E0800 "`workgroupBarrier` must only be called"
// Not in the list of uniform built-in values, though workgroup_id is.

@compute @workgroup_size(64)
fn main(@builtin(workgroup_index) wi: u32) {
    if wi == 0 {
        workgroupBarrier();
    }
}
