//! error line 4 E0405
enable subgroups;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) { _ = subgroupBroadcast(1, i); }
