//! error line 3 E0405
enable subgroups;
fn f(i: u32) { _ = quadBroadcast(1, i); }
