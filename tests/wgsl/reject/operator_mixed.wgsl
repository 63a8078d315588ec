//! error line 2 E0302
fn f(a: i32, b: u32) -> i32 { return a + b; }
