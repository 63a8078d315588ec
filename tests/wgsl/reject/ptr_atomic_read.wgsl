//! error line 2 E0220
fn f(p: ptr<storage, atomic<u32>>) {}
