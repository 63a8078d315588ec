//! error line 4 E0400
enable atomic_vec2u_min_max;
@group(0) @binding(0) var<storage, read_write> a: atomic<vec2u>;
fn f() { atomicAdd(&a, vec2u(1)); }
