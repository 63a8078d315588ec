//! error line 2 E0223
var<storage> a: array<i32>;
