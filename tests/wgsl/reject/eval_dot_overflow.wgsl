//! error line 2 E0305
const a = dot(vec2(9223372036854775807), vec2(2));
