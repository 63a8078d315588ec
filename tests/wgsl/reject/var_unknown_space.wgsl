//! error line 2 E0219
var<global> a: i32;
