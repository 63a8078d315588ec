// The right side runs for all or none.
@group(0) @binding(2) var<uniform> uni: u32;
fn f() -> bool {
    workgroupBarrier();
    return true;
}

@compute @workgroup_size(64)
fn main() {
    if uni == 0 && f() {
    }
}
