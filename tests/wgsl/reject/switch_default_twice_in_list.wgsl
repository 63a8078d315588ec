//! error line 2 E0509
fn f() { switch 1 { case default, default {} } }
