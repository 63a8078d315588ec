//! error line 4 E0312
override n = 4;
var<workgroup> w: array<u32, n>;
fn f() { let a = w; }
