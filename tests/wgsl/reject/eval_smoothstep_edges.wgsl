//! error line 2 E0404
fn f(x: f32) -> f32 { return smoothstep(1, 1, x); }
