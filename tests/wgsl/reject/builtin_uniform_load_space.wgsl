//! error line 3 E0400
var<private> a: u32;
fn f() { _ = workgroupUniformLoad(&a); }
