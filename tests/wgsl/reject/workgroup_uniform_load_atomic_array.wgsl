//! error line 3 E0400
var<workgroup> a: array<atomic<u32>, 2>;
fn f() { let x = workgroupUniformLoad(&a); }
