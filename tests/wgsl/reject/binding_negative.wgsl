//! error line 2 E0214
@group(0) @binding(-1) var<storage> a: array<i32>;
