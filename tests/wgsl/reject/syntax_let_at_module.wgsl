//! error line 2 E0100
let a = 1;
