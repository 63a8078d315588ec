//! error line 4 E0404
enable subgroups;
@compute @workgroup_size(32)
fn main() { _ = quadBroadcast(1, 4); }
