//! error line 2 E0221
var<immediate> a: bool;
