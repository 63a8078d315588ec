//! error line 3 E0514
@group(0) @binding(0) var<storage> a: array<u32>;
fn f() { arrayLength(&a); }
