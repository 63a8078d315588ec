//! error line 2 E0404
const a = ldexp(1f, 129);
