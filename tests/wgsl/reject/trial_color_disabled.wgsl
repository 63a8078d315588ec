//! error line 2 E0206
@fragment fn f(@color(0) a: vec4f) {}
