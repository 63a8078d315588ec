//! error line 3 E0512
var<immediate> a: u32;
fn f() { a = 1; }
