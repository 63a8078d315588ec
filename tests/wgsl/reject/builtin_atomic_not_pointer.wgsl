//! error line 3 E0312
var<workgroup> a: atomic<u32>;
fn f() { atomicAdd(a, 1u); }
