//! error line 3 E0512
@group(0) @binding(0) var<storage, read> a: array<i32>;
fn f() { a[0] = 1; }
