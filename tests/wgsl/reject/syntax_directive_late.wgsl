//! error line 3 E0108
const a = 1;
enable f16;
