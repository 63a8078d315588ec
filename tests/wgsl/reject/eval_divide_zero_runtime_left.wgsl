//! error line 2 E0305
fn f(x: i32) -> i32 { return x / 0; }
