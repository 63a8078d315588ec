//! error line 3 E0221
override n = 4;
var<private> a: array<i32, n>;
