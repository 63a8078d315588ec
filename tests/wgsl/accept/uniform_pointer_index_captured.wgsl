// The index is read when the pointer is made.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32) {
    var a: array<u32, 4>;
    var i = uni & 3;
    let p = &a[i];
    i = lid;
    *p = 1;
    if a[0] == 0 {
        workgroupBarrier();
    }
}
