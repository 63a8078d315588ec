//! error line 2 E0305
const a = 9223372036854775807 + 1;
