//! error line 3 E0104
const a = 1;
/* never closed
const b = 2;
