//! error line 2 E0306
fn f(a: i32, b: i32) { switch a { case b { } default { } } }
