//! error line 2 E0214
@fragment fn f(@location(-1) a: f32) {}
