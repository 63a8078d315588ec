//! error line 2 E0302
fn f(a: u32) -> u32 { return -a; }
