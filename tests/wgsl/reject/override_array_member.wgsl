//! error line 3 E0228
override n = 4;
struct S { a: array<u32, n> }
