//! error line 2 E0221
var<private> a: array<i32>;
