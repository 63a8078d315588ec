//! error line 2 E0501
fn f() -> i32 { return; }
