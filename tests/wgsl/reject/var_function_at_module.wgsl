//! error line 2 E0219
var<function> a: i32;
