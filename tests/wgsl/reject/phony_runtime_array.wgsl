//! error line 3 E0517
@group(0) @binding(0) var<storage> a: array<i32>;
fn f() { _ = a; }
