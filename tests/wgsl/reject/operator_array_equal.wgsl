//! error line 2 E0302
fn f(a: array<i32, 2>) -> bool { return a == a; }
