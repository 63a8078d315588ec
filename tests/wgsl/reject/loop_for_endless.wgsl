//! error line 2 E0506
fn f() { for (;;) {} }
