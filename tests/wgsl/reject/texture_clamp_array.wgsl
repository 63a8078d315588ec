//! error line 4 E0409
@group(0) @binding(0) var t: texture_2d_array<f32>;
@group(0) @binding(1) var s: sampler;
fn f() { _ = textureSampleBaseClampToEdge(t, s, vec2f()); }
