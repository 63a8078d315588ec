//! error line 4 E0401
@group(0) @binding(0) var t: texture_cube<f32>;
@group(0) @binding(1) var s: sampler;
fn f() { _ = textureSampleLevel(t, s, vec3f(), 0, vec3(1)); }
