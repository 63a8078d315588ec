//! error line 2 E0310
fn f(a: vec4f) -> vec4f { return a.xyzwx; }
