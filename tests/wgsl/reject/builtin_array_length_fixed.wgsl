//! error line 3 E0400
var<workgroup> a: array<i32, 3>;
fn f() -> u32 { return arrayLength(&a); }
