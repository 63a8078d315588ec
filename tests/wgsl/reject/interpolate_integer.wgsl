//! error line 2 E0236
@fragment fn f(@location(0) a: i32) {}
