//! error line 2 E0222
var<workgroup> a: i32 = 1;
