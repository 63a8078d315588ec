//! error line 2 E0309
fn f(a: array<i32, 3>) -> i32 { return a[-1]; }
