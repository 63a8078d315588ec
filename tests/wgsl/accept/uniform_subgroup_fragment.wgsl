// Subgroups of fragments.
enable subgroups;
@group(0) @binding(2) var<uniform> uni: u32;

@fragment
fn main(@location(0) @interpolate(flat) uv: u32) {
    if uni == 0 {
        _ = subgroupAdd(uv);
    }
}
