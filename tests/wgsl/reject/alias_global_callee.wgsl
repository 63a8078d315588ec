//! error line 5 E0244
var<private> x: i32;
fn h() { x = 1; }
fn g(p: ptr<private, i32>) { h(); _ = *p; }
fn f() { g(&x); }
