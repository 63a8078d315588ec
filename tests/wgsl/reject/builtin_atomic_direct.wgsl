//! error line 3 E0519
var<workgroup> a: atomic<u32>;
fn f() { a = 1; }
