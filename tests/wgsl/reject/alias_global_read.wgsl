//! error line 4 E0244
var<private> x: i32;
fn g(p: ptr<private, i32>) { x = *p; }
fn f() { g(&x); }
