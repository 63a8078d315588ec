//! error line 2 E0204
var<private> a: mat2x2<i32>;
