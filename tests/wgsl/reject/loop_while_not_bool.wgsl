//! error line 2 E0507
fn f() { while 1 { } }
