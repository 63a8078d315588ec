//! error line 2 E0220
var<private, read> a: i32;
