//! error line 3 E0238
var<workgroup> t: u32;
@fragment fn f() { _ = &t; }
