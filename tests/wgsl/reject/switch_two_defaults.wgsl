//! error line 2 E0509
fn f(a: i32) { switch a { default { } case 1, default { } } }
