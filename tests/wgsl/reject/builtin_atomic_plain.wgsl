//! error line 3 E0400
var<workgroup> a: u32;
fn f() { atomicAdd(&a, 1u); }
