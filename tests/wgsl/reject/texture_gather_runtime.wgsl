//! error line 4 E0405
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
fn f(i: u32) { _ = textureGather(i, t, s, vec2f()); }
