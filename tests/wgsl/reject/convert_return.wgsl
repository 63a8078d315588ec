//! error line 2 E0303
fn f() -> i32 { return 1.5; }
