//! error line 2 E0213
struct S { @size(16) a: array<i32> }
