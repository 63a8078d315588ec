//! error line 2 E0212
@group(0) @group(1) @binding(0) var<storage> a: array<i32>;
