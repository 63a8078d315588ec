//! error line 2 E0311
fn f(a: i32) { let p = &a; }
