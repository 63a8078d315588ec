//! error line 2 E0305
const a = acos(2);
