//! error line 3 E0313
const g = 1;
fn f() { g(); }
