//! error line 4 E0519
//! error line 4 E0312
@group(0) @binding(0) var<storage, read_write> a: array<i32>;
fn f() { a = a; }
