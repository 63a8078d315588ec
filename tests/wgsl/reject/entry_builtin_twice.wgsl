//! error line 3 E0235
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) a: vec3<u32>, @builtin(workgroup_id) b: vec3<u32>) { }
