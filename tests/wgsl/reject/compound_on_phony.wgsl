//! error line 2 E0100
fn f() { _ += 1; }
