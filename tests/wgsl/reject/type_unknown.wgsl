//! error line 2 E0202
var<private> a: int;
