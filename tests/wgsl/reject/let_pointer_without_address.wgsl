//! error line 2 E0311
fn f() { let x = 1; let y = &x; }
