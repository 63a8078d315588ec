//! error line 2 E0220
var<immediate, read> a: u32;
