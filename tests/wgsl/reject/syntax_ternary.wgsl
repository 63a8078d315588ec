//! error line 2 E0102
fn f(a: bool) -> i32 { return a ? 1 : 2; }
