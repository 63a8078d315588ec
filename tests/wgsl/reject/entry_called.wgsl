//! error line 4 E0242
@compute @workgroup_size(1)
fn main() { }
fn f() { main(); }
