//! error line 3 E0303
fn g(x: u32) { }
fn f(x: i32) { g(x); }
