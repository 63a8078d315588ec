//! error line 8 E0219 "address space"
//! error line 9 E0220 "access mode"
//! error line 10 E0204 "texel format"
//! error line 11 E0204 "second argument"
//! error line 12 E0219 "first argument of `ptr`"
//! error line 12 E0220 "storage pointer"
// Misspelt enumerants: each message names the nearest one.
@group(0) @binding(0) var<storge> a: u32;
@group(0) @binding(1) var<storage, readwrite> b: u32;
@group(0) @binding(2) var c: texture_storage_2d<rgba8unrom, write>;
@group(0) @binding(3) var d: texture_storage_2d<rgba8unorm, wirte>;
fn f(p: ptr<functon, u32>, q: ptr<storage, u32, read_wirte>) {}
