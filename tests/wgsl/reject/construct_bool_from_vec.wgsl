//! error line 2 E0314
const a = bool(vec2(true));
