//! error line 3 E0103
enable f16;
const a = 65505h;
