//! error line 7 E0303 "cannot convert `ptr<workgroup, array<u32, n + 1>>` to `ptr<workgroup, array<u32, n + 1>>`"
//! error line 8 E0303 "cannot convert `ptr<workgroup, array<u32, n + 1>>` to `ptr<workgroup, array<u32, n>>`"
override n: u32;
var<workgroup> a: array<u32, n + 1>;
fn f(p: ptr<workgroup, array<u32, n + 1>>) { (*p)[0] = 1; }
fn g(p: ptr<workgroup, array<u32, n>>) { (*p)[0] = 1; }
fn twice() { f(&a); }
fn other() { g(&a); }
