// select with the same on both sides, from uniform parts.
@group(0) @binding(1) var<storage, read> ro: array<u32>;
@group(0) @binding(2) var<uniform> uni: u32;

@compute @workgroup_size(64)
fn main() {
    if select(uni, ro[0], uni == 3) == 0 {
        workgroupBarrier();
    }
}
