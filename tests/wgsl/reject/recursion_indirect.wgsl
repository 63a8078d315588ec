//! error line 4 E0243
fn f() { g(); }
fn g() { h(); }
fn h() { f(); }
