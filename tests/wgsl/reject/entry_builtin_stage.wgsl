//! error line 3 E0234
@compute @workgroup_size(1)
fn main(@builtin(vertex_index) a: u32) { }
