//! error line 12 E0800 "`workgroupBarrier` must only be called"
// One of two ways brings what differs.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    if uni == 0 {
        x = lid;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
