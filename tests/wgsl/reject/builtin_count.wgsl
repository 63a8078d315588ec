//! error line 2 E0400
const a = max(1);
