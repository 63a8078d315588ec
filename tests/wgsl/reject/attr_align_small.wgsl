//! error line 2 E0214
struct S { @align(4) a: vec4<f32> }
