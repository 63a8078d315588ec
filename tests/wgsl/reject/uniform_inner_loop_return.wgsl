//! error line 8 E0800 "`workgroupBarrier` must only be called"
// A return in an inner loop reaches both.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    for (var i = 0u; i < uni; i++) {
        workgroupBarrier();
        loop {
            if lid == i {
                return;
            }
            break;
        }
    }
}
