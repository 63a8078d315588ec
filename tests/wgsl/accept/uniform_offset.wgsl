//! warning line 4 E0224
struct I { a: f32 }
struct S { a: f32, b: I }
@group(0) @binding(0) var<uniform> s: S;
