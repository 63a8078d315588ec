//! error line 2 E0201
const a = b;
const b = a + 1;
