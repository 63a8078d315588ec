//! error line 2 E0302
const a = true + true;
