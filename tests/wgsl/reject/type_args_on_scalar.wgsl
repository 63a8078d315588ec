//! error line 2 E0204
var<private> a: f32<i32>;
