//! error line 3 E0301
fn g() { }
fn f() { let a = g; }
