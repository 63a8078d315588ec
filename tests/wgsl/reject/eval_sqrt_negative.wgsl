//! error line 2 E0305
const a = sqrt(-1.0);
