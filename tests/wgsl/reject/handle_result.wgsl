//! error line 3 E0241
@group(0) @binding(0) var t: texture_2d<f32>;
fn f() -> texture_2d<f32> { return t; }
