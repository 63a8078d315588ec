//! error line 3 E0307
var<private> x = 1;
override a = x;
