//! error line 3 E0308
struct S { a: i32 }
fn f(s: S) -> i32 { return s[0]; }
