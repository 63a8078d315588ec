//! error line 4 E0400
enable atomic_vec2u_min_max;
@group(0) @binding(0) var<storage, read_write> a: atomic<u32>;
fn f() { atomicStoreMin(&a, 1); }
