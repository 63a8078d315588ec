//! error line 2 E0215
var<private> a: array<i32, 0>;
