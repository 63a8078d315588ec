//! error line 2 E0214
struct S { @align(4.0) a: i32 }
