//! error line 2 E0305
const a = log(0.0);
