//! error line 3 E0231
@compute
fn main() { }
