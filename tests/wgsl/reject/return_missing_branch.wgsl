//! error line 2 E0500
fn f(a: bool) -> i32 { if a { return 1; } }
