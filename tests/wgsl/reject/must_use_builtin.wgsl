//! error line 2 E0514
fn f() { max(1, 2); }
