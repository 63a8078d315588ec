//! error line 2 E0221
fn f(p: ptr<function, ptr<function, u32>>) {}
