//! error line 3 E0221
@group(0) @binding(0) var t: texture_2d<f32>;
fn f() { var x = t; }
