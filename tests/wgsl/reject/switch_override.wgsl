//! error line 3 E0306
override x = 1;
fn f() { switch 1 { case x {} default {} } }
