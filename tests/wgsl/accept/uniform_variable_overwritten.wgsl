// The old value is gone.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var x = lid;
    x = uni;
    if x == 0 {
        workgroupBarrier();
    }
}
