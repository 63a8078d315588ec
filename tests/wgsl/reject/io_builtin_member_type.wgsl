//! error line 2 E0233
struct S { @builtin(position) a: vec3f }
