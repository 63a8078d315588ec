//! error line 2 E0214
@group(2147483648) @binding(0) var<uniform> a: u32;
