//! error line 2 E0310
fn f(a: vec2f) -> f32 { return a.z; }
