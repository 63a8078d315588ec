//! error line 3 E0313
fn g(a: i32) { }
fn f() { g(); }
