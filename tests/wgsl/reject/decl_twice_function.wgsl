//! error line 3 E0200
fn a() { }
var<private> a: i32;
