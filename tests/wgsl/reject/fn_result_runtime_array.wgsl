//! error line 2 E0241
fn f() -> array<i32> { }
