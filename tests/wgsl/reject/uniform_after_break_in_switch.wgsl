//! error line 12 E0800 "`workgroupBarrier` must only be called"
// Behind a break that some take, inside the switch.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    switch uni {
        case 0: {
            if lid == 0 {
                break;
            }
            workgroupBarrier();
        }
        default: {
        }
    }
}
