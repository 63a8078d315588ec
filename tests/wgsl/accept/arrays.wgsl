const n = 4;
override m = 8u;
var<workgroup> grid: array<array<f32, n>, n * 2>;
var<workgroup> over: array<u32, m>;
var<private> table: array<vec3<f32>, 3> = array(vec3(1.0), vec3(2.0, 3.0, 4.0), vec3<f32>());
@group(0) @binding(0) var<storage, read_write> out: array<array<u32, 2>>;
fn sum(a: array<f32, n>) -> f32 {
    var s = 0.0;
    for (var i = 0; i < n; i++) { s += a[i]; }
    return s;
}
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    var a = array<f32, n>(1, 2, 3, 4);
    let b = array(1u, 2, 3);
    var c: array<array<i32, 2>, 2>;
    c[0] = array(1, 2);
    c[1][0] = 3;
    a[id.x] = sum(a);
    grid[id.x] = a;
    grid[id.x + 1][2] = grid[id.x][1];
    over[id.x] = b[id.x % 3];
    table[1].x = a[0];
    out[id.x] = array(over[0], u32(c[1][1]));
    out[id.x][1] += 1u;
    let same = array<f32, n>(a[0], a[1], a[2], a[3]);
    a = same;
}
