//! error line 2 E0408
fn g() { discard; }
@vertex fn f() -> @builtin(position) vec4f { g(); return vec4f(); }
