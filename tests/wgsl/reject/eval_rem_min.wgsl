//! error line 2 E0305
const a = i32(-2147483648) % -1;
