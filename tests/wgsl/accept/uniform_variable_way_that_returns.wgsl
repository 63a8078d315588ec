// A way that returns brings nothing.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = 0u;
    if uni == 0 {
        x = lid;
        return;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
