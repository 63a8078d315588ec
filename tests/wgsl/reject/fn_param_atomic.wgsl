//! error line 2 E0240
fn f(a: atomic<u32>) { }
