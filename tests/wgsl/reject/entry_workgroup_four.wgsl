//! error line 2 E0214
@compute @workgroup_size(1, 1, 1, 1) fn main() { }
