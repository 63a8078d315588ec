//! error line 2 E0510
fn f(a: i32) { switch a { case 1, 2, 1 { } default { } } }
