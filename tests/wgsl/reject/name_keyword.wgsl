//! error line 2 E0105
const loop = 1;
