//! error line 10 E0800 "`workgroupBarrier` must only be called"
// An else if is inside the else.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if uni == 0 {
    } else if lid == 0 {
    } else {
        workgroupBarrier();
    }
}
