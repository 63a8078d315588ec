//! error line 2 E0305
const a = false && array<i32, 1 / 0>()[0] == 1;
