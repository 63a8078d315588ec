//! error line 3 E0306
override a = 1;
const b = a;
