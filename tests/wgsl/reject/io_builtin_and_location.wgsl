//! error line 4 E0236
//! error line 4 E0232
struct S { @builtin(position) @location(0) a: vec4f }
@vertex fn f() -> S { return S(); }
