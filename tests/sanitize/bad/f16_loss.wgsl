// A product that f16 cannot tell from zero: a note, since it may be meant.
//! run --bind 0,0=values:f16:0.001,0.0001,1,2 --bind 0,1=zeros:f16:4
enable f16;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    c[i] = a[i] * a[i] * 1000.0h; // <- S0604
}
