//! error line 10 E0800 "`workgroupBarrier` must only be called"
// The value of the last iteration comes back to the start.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    for (var i = 0u; i < uni; i++) {
        if x == 0 {
            workgroupBarrier();
        }
        x = lid;
    }
}
