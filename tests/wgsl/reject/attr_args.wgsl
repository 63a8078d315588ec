//! error line 2 E0214
@group(0, 1) @binding(0) var<storage> a: array<i32>;
