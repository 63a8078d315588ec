//! error line 3 E0409
@group(0) @binding(0) var t: texture_2d<f32>;
fn f() { _ = textureNumLayers(t); }
