//! error line 2 E0301
const a = i32;
