//! error line 3 E0206
@compute @workgroup_size(32)
fn main(@builtin(subgroup_size) s: u32) { _ = s; }
