//! error line 4 E0303
fn g(p: ptr<function, i32>) {}
var<private> a: i32;
fn f() { g(&a); }
