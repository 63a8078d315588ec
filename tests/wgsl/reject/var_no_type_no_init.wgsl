//! error line 2 E0222
var<private> a;
