// Two invocations write parts of a vector that another one reads whole.
//! run --bind 0,0=random:f16:128:1 --bind 0,1=zeros:f16:128
enable f16;

@group(0) @binding(0) var<storage, read> a: array<vec2<f16>>;
@group(0) @binding(1) var<storage, read_write> c: array<vec2<f16>>;

var<workgroup> pairs: array<vec2<f16>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    pairs[lane].x = a[lane].x;
    pairs[63u - lane].y = a[lane].y;
    c[lane] = pairs[lane]; // <- S0301
}
