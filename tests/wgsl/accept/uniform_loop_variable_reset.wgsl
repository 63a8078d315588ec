// Overwritten before it is read.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    for (var i = 0u; i < uni; i++) {
        x = i;
        if x == 0 {
            workgroupBarrier();
        }
        x = lid;
    }
}
