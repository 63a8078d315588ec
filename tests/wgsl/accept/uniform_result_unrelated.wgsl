// The result does not.
@group(0) @binding(2) var<uniform> uni: u32;
fn f(n: u32) -> u32 {
    return uni;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    if f(lid) == 0 {
        workgroupBarrier();
    }
}
