//! error line 2 E0214
struct S { @size(2) a: i32 }
