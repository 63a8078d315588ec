//! error line 2 E0222
@group(0) @binding(0) var<storage, read_write> a: i32 = 1;
