//! error line 3 E0404
enable subgroups;
fn f() { _ = subgroupShuffle(1, 128); }
