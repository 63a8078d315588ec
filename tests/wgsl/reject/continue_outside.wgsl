//! error line 2 E0504
fn f() { continue; }
