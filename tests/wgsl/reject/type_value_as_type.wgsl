//! error line 3 E0203
fn f() { }
fn g(a: f) { }
