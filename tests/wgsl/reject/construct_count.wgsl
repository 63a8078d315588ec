//! error line 2 E0314
const a = vec3(1, 2);
