//! error line 2 E0232
@fragment fn f() -> f32 { return 1; }
