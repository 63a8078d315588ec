//! error line 2 E0507
fn f() { for (var i = 0; i; i++) { } }
