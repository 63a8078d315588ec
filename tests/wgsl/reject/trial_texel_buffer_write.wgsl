//! error line 2 E0204 "read_write"
@group(0) @binding(0) var b: texel_buffer<r32float, write>;
