//! error line 2 E0221
@group(0) @binding(0) var<uniform> a: atomic<u32>;
