//! error line 3 E0302
enable subgroups;
fn f(i: u32) -> bool { return subgroupShuffleXor(1, i) == i; }
