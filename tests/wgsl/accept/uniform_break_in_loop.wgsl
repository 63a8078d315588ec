// Invocations that leave a loop at different times meet behind it.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    loop {
        if lid == 0 {
            break;
        }
        if uni == 1 {
            break;
        }
    }
    workgroupBarrier();
}
