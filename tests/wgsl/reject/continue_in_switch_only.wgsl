//! error line 2 E0504
fn f() { switch 1 { default { continue; } } }
