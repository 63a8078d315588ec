//! error line 2 E0232
@vertex fn f() -> @location(0) vec4f { return vec4f(); }
