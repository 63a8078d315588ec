// A selector that does not.
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main() {
    switch uni {
        case 1, 2: {
            workgroupBarrier();
        }
        default: {
        }
    }
}
