//! error line 2 E0302
fn f(a: vec2f, b: vec3f) -> vec2f { return a + b; }
