//! error line 2 E0237
@group(0) @binding(0) var<storage> a: array<i32>;
@group(0) @binding(0) var<storage, read_write> b: array<i32>;
@compute @workgroup_size(1)
fn main() { b[0] = a[0]; }
