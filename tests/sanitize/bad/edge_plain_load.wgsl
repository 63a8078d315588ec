// The last invocation reads one element too far.
//! run --bind 0,0=iota:f32:64 --bind 0,1=zeros:f32:64
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    c[id.x] = a[id.x] + a[id.x + 1u]; // <- S0101
}
