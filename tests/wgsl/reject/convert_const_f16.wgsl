//! error line 3 E0304
enable f16;
const a: f16 = 70000.0;
