//! error line 2 E0309
fn f(a: vec3f) -> f32 { return a[3]; }
