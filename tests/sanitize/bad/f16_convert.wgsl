// A sum in f32 that f16 cannot hold.
//! run --bind 0,0=values:f32:1000,30000,60000,70000 --bind 0,1=zeros:f16:4
enable f16;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    c[i] = f16(a[i]); // <- S0601
}
