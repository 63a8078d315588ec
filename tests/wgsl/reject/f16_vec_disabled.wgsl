//! error line 2 E0206
var<private> a: vec2h;
