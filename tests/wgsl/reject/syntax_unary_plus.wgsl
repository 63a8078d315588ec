//! error line 2 E0100
const a = +1;
