//! error line 4 E0237
var<immediate> a: u32;
var<immediate> b: u32;
@compute @workgroup_size(1) fn f() { _ = a; _ = b; }
