//! error line 2 E0302
fn f(a: mat2x3f, b: mat2x3f) -> mat2x3f { return a * b; }
