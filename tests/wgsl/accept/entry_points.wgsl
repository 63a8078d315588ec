@group(0) @binding(0) var<storage, read_write> a: array<u32>;
const x = 4u;
override y = 2u;
@compute @workgroup_size(1) fn one() { a[0] = 1; }
@compute @workgroup_size(x, 2) fn two() { a[1] = 2; }
@workgroup_size(8u, y, 1,) @compute fn three() { a[2] = 3; }
@compute @workgroup_size(x * 2 + 1, y + 1) fn four(@builtin(workgroup_id) id: vec3<u32>) { a[3] = id.x; helper(); }
fn helper() { a[4] = 5; }
