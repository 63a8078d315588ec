//! error line 2 E0404
const a = extractBits(1u, 30, 5);
