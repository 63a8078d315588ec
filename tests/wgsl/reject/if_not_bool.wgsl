//! error line 2 E0507
fn f(a: i32) { if a { } }
