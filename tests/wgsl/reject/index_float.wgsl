//! error line 2 E0308
fn f(a: array<i32, 3>) -> i32 { return a[1.0]; }
