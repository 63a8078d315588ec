// Two invocations write each element.
//! run --bind 0,0=iota:f32:64 --bind 0,1=zeros:f32:64
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

var<workgroup> part: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    part[lane / 2u] = a[lane]; // <- S0301
    workgroupBarrier();
    c[lane] = part[lane / 2u];
}
