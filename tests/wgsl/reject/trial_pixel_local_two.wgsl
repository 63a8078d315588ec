//! error line 6 E0237
enable chromium_experimental_pixel_local;
struct P { a: u32 }
var<pixel_local> p: P;
var<pixel_local> q: P;
@fragment fn f() { p.a = q.a; }
