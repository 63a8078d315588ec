//! error line 3 E0221
enable chromium_experimental_pixel_local;
var<pixel_local> p: u32;
