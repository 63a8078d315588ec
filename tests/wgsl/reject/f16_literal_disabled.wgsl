//! error line 2 E0317
const a = 1h;
