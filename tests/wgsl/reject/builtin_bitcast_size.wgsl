//! error line 2 E0407
fn f(a: vec2f) -> u32 { return bitcast<u32>(a); }
