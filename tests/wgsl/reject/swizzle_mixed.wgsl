//! error line 2 E0310
fn f(a: vec4f) -> vec2f { return a.xg; }
