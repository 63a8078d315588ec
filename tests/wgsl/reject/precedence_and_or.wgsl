//! error line 2 E0107
const a = true && false || true;
