//! error line 2 E0103
const a = 3.40282347e+38f;
