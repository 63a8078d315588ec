//! error line 3 E0307
var<private> a = 1;
var<private> b = a;
