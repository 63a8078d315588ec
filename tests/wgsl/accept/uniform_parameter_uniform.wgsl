// It is uniform here.
@group(0) @binding(2) var<uniform> uni: u32;
fn f(n: u32) {
    if n == 0 {
        workgroupBarrier();
    }
}

@compute @workgroup_size(64)
fn main() {
    f(uni);
}
