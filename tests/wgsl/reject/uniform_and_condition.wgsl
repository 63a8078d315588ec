//! error line 8 E0800 "`workgroupBarrier` must only be called"
// Either side counts.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if uni == 0 && lid == 0 {
        workgroupBarrier();
    }
}
