//! error line 3 E0305
enable f16;
const a = 65504h + 1h;
