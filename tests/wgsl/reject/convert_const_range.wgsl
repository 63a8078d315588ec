//! error line 2 E0304
const a: u32 = -1;
