// The same for all.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main() {
    var x = 0u;
    if uni == 0 {
        x = 1;
    }
    if x == 0 {
        workgroupBarrier();
    }
}
