//! error line 2 E0102
const a = "text";
