// The number of iterations is the same.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main() {
    for (var i = 0u; i < uni; i++) {
        workgroupBarrier();
    }
}
