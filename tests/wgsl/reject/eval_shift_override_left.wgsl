//! error line 3 E0305
override n: i32;
override m = n << 40;
