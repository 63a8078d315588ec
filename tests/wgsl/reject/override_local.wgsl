//! error line 2 E0100
fn f() { override a = 1; }
