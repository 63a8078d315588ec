// Many invocations set a flag, all to the same value: seldom harmful, a race all the same.
//! run --bind 0,0=iota:f32:64 --bind 0,1=zeros:u32:1
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> found: u32;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    if (a[lane] > 20.0) {
        found = 1u; // <- S0304
    }
}
