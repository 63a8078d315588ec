//! error line 2 E0220
fn f(p: ptr<private, u32, read_write>) {}
