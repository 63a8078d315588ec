//! error line 3 E0310
struct S { a: i32 }
fn f(s: S) -> i32 { return s.b; }
