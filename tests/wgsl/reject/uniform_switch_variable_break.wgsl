//! error line 21 E0800 "`workgroupBarrier` must only be called"
// A break before the assignment.
@group(0) @binding(1) var<storage, read> ro: array<u32>;
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    switch uni {
        case 0: {
            if ro[0] == 0 {
                break;
            }
            x = 0;
        }
        default: {
            x = 2;
        }
    }
    if x == 0 {
        workgroupBarrier();
    }
}
