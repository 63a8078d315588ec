//! error line 2 E0305
const a = 1e38f * 10f;
