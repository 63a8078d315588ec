//! error line 2 E0233
struct S { @location(0) a: bool }
