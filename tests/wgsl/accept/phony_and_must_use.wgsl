@must_use fn needed(x: i32) -> i32 { return x; }
fn not_needed(x: i32) -> i32 { return x; }
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<uniform> u: vec4<f32>;
@group(0) @binding(2) var t: texture_2d<f32>;
@group(0) @binding(3) var s: sampler;
@compute @workgroup_size(1)
fn main() {
    _ = needed(1);
    not_needed(2);
    _ = &a;
    _ = u;
    _ = t;
    _ = s;
    _ = 1 + 2;
    let x = needed(3);
    _ = x;
}
