//! error line 2 E0214
@group @binding(0) var<storage> a: array<i32>;
