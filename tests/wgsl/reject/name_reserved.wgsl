//! error line 2 E0105
const typedef = 1;
