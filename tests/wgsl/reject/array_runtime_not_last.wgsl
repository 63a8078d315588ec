//! error line 2 E0228
struct S { a: array<i32>, b: i32 }
