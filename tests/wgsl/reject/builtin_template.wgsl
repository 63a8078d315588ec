//! error line 2 E0403
const a = max<i32>(1, 2);
