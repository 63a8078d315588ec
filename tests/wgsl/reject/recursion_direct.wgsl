//! error line 2 E0243
fn f(x: i32) -> i32 { return f(x - 1); }
