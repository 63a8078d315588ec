//! error line 2 E0231
@compute @workgroup_size(1u, 1i) fn main() { }
