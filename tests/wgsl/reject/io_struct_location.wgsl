//! error line 3 E0233
struct S { @location(0) a: f32 }
@fragment fn f(@location(1) s: S) {}
