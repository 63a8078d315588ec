//! error line 2 E0216
@group(0) @binding(0) var<storage> a: array<array<i32>>;
