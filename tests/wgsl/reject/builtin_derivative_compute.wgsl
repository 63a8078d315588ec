//! error line 3 E0408
@compute @workgroup_size(1)
fn main() { _ = dpdx(1.0); }
