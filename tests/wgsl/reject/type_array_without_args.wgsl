//! error line 2 E0204
var<private> a: array;
