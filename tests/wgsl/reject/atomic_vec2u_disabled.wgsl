//! error line 2 E0206
@group(0) @binding(0) var<storage, read_write> a: atomic<vec2u>;
