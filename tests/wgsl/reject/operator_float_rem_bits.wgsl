//! error line 2 E0302
fn f(a: f32) -> f32 { return a & 1; }
