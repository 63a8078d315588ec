//! error line 2 E0404
const a = clamp(1, 5, 2);
