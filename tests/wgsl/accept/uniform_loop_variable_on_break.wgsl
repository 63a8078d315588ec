// Only what reaches the break comes out.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    loop {
        x = 0;
        if uni == 0 {
            break;
        }
        x = lid;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
