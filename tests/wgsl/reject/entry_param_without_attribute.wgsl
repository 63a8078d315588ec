//! error line 3 E0232
@compute @workgroup_size(1)
fn main(a: u32) { }
