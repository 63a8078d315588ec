//! error line 2 E0231
@compute @workgroup_size(0) fn main() { }
