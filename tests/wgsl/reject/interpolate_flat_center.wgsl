//! error line 2 E0214
@fragment fn f(@location(0) @interpolate(flat, center) a: f32) {}
