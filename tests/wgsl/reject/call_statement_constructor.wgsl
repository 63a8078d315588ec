//! error line 2 E0515
fn f() { vec2(1, 2); }
