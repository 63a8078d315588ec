//! error line 2 E0223
@group(0) @binding(0) var<immediate> a: u32;
