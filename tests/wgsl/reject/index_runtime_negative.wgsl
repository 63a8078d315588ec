//! error line 3 E0309
@group(0) @binding(0) var<storage> a: array<i32>;
fn f() -> i32 { return a[-1]; }
