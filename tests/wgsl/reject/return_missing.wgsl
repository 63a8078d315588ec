//! error line 2 E0500
fn f() -> i32 { }
