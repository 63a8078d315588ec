// A workgroup reads what another one writes, in the same dispatch.
//! run --bind 0,0=iota:f32:256 --dispatch 4
//! also S0801
@group(0) @binding(0) var<storage, read_write> a: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let next = a[(id.x + 64u) % 256u]; // <- S0303
    a[id.x] = next + 1.0;
}
