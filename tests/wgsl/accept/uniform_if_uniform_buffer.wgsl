// All invocations read the same from a uniform buffer.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main() {
    if uni == 0 {
        workgroupBarrier();
    }
}
