//! error line 2 E0303
var<private> a: array<i32, 2.5>;
