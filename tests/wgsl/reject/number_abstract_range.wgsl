//! error line 2 E0103
const a = 9223372036854775808;
