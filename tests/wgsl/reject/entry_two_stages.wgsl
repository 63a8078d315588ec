//! error line 2 E0230
@compute @vertex @workgroup_size(1) fn main() { }
