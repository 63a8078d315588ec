//! error line 2 E0105
const __a = 1;
