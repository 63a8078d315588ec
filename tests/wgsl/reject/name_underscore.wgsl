//! error line 2 E0105
const _ = 1;
