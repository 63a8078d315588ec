//! error line 3 E0214
@compute @workgroup_size(1)
fn main(@builtin(thread_id) a: u32) { }
