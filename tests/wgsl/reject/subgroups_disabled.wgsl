//! error line 3 E0402
@compute @workgroup_size(32)
fn main() { _ = subgroupAdd(1u); }
