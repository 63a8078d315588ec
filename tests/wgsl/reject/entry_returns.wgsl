//! error line 3 E0234
@compute @workgroup_size(1)
fn main() -> @location(0) f32 { return 1; }
