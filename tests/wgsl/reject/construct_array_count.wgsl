//! error line 2 E0314
const a = array<i32, 3>(1, 2);
