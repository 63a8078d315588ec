//! error line 2 E0219
var a: i32;
