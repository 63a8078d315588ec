//! error line 3 E0311
@group(0) @binding(0) var t: texture_2d<f32>;
fn f() { let p = &t; }
