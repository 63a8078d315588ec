//! error line 2 E0214
struct S { @align(12) a: i32 }
