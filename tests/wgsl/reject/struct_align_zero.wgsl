//! error line 2 E0214
struct S { @align(0) a: i32 }
