//! error line 3 E0200
const a = 1;
const a = 2;
