//! error line 2 E0220
@group(0) @binding(0) var<storage, read> a: atomic<u32>;
fn f() { _ = atomicAdd(&a, 1u); }
