//! error line 2 E0508
fn f() { switch 1 { case 1u {} case 2i {} default {} } }
