//! error line 2 E0103
const a = 1u32;
