//! error line 2 E0510
fn f() { switch 1 { case 1, 1 {} default {} } }
