//! error line 15 E0800 "`workgroupBarrier` must only be called"
// A break before the assignment.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    loop {
        if uni == 0 {
            break;
        }
        x = 0;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
