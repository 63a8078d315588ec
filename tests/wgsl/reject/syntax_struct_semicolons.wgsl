//! error line 2 E0100
struct S { a: i32; b: i32; }
