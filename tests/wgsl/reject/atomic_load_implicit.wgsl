//! error line 3 E0312
@group(0) @binding(0) var<storage, read_write> a: atomic<i32>;
fn f() { let x = a; }
