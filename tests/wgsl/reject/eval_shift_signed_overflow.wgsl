//! error line 2 E0305
const a = 1i << 31;
