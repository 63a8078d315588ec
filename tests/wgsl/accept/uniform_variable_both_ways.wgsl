// Both ways overwrite it.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    if uni == 0 {
        x = 1;
    } else {
        x = 2;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
