//! error line 2 E0221
var<workgroup> a: array<u32, 65536>;
