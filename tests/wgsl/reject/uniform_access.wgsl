//! error line 2 E0220
@group(0) @binding(0) var<uniform, read> a: u32;
