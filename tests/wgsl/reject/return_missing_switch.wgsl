//! error line 2 E0500
fn f() -> i32 { switch 1 { case 1 { return 1; } default { break; } } }
