//! error line 2 E0305
const a = normalize(vec2(0));
