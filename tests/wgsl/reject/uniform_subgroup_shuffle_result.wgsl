//! error line 9 E0803 "`subgroupMin` must only be called"
// A shuffle gives each its own.
enable subgroups;
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main() {
    if subgroupShuffle(uni, 0) == 0 {
        _ = subgroupMin(1u);
    }
}
