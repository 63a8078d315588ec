//! error line 2 E0308
fn f(a: i32) -> i32 { return a[0]; }
