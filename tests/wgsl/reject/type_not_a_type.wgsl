//! error line 3 E0203
const x = 1;
var<private> a: x;
