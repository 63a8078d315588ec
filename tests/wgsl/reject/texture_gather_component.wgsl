//! error line 4 E0404
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
fn f() { _ = textureGather(4, t, s, vec2f()); }
