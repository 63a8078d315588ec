//! error line 2 E0233
struct S { @location(0) a: mat2x2f }
