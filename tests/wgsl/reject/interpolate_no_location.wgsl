//! error line 2 E0236
struct S { @interpolate(flat) a: f32 }
