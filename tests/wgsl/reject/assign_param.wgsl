//! error line 2 E0511
fn f(a: i32) { a = 2; }
