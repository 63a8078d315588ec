//! error line 2 E0508
fn f(a: i32) { switch a { case 1u { } default { } } }
