//! error line 3 E0511
const a = 1;
fn f() { a = 2; }
