//! error line 19 E0800 "`workgroupBarrier` must only be called"
// One case does not assign.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    switch uni {
        case 0: {
            x = 0;
        }
        case 1: {
        }
        default: {
            x = 2;
        }
    }
    if x == 0 {
        workgroupBarrier();
    }
}
