//! error line 2 E0236
struct S { @invariant @location(0) a: vec4f }
