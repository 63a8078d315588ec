// Squares above 65504.
//! run --bind 0,0=values:f16:100,200,300,400 --bind 0,1=zeros:f16:4
enable f16;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    let square = a[i] * a[i]; // <- S0601
    c[i] = square / 16.0h;
}
