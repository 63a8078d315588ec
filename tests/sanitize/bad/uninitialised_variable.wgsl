// A sum without a start: zero in WGSL. Only with --sanitize=variables, as a note.
//! run --bind 0,0=iota:f32:8 --bind 0,1=zeros:f32:1 --sanitize=variables
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: f32;

@compute @workgroup_size(1)
fn main() {
    var sum: f32;
    for (var i = 0u; i < 8u; i++) {
        sum += a[i]; // <- S0502
    }
    total = sum;
}
