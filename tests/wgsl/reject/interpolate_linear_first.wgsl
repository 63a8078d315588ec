//! error line 2 E0214
@fragment fn f(@location(0) @interpolate(linear, first) a: f32) {}
