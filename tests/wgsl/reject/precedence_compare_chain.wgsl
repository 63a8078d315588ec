//! error line 2 E0107
const a = 1 < 2 < 3;
