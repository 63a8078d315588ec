//! error line 2 E0100
const a = vec2<>(1, 2);
