//! error line 5 E0238
enable chromium_experimental_pixel_local;
struct P { a: u32 }
var<pixel_local> p: P;
@compute @workgroup_size(1) fn f() { p.a = 1; }
