//! error line 3 E0304
enable f16;
const a = f16(65519);
