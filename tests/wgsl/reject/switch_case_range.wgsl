//! error line 2 E0304
fn f() { switch 1u { case -1 {} default {} } }
