//! error line 4 E0409
@group(0) @binding(0) var t: texture_multisampled_2d<f32>;
@group(0) @binding(1) var s: sampler;
fn f() { _ = textureSampleLevel(t, s, vec2f(), 0); }
