//! error line 17 E0800 "`workgroupBarrier` must only be called"
// A continue before the assignment.
@group(0) @binding(1) var<storage, read> ro: array<u32>;
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    for (var i = 0u; i < uni; i++) {
        x = lid;
        if ro[i] == 0 {
            continue;
        }
        x = 0;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
