//! error line 4 E0303
@group(0) @binding(0) var<storage, read_write> a: i32;
fn g(p: ptr<storage, i32>) {}
fn f() { g(&a); }
