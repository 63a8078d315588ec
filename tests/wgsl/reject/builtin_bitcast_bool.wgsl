//! error line 2 E0407
fn f(a: bool) -> u32 { return bitcast<u32>(a); }
