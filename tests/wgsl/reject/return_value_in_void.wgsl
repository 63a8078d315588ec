//! error line 2 E0501
fn f() { return 1; }
