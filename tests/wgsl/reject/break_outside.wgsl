//! error line 2 E0503
fn f() { break; }
