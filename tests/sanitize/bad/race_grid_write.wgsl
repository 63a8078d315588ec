// Every workgroup writes the same elements: the index leaves the workgroup out.
//! run --bind 0,0=iota:f32:128 --bind 0,1=zeros:f32:64 --dispatch 2
//! also S0801
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    c[lane] = a[id.x]; // <- S0303
}
