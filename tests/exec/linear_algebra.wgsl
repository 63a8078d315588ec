//! d       f32 12 marker
//! expect  d == values 23 34 50 122 -3 6 -3 32 14 1 3 -2
@group(0) @binding(0) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(1)
fn main() {
    var m = mat2x2f(1, 2, 3, 4); // columns (1, 2) and (3, 4)
    let v = m * vec2f(5, 6);
    d[0] = v.x;
    d[1] = v.y;
    let n = mat2x3f(1, 2, 3, 4, 5, 6);
    let w = vec3f(7, 8, 9) * n;
    d[2] = w.x;
    d[3] = w.y;
    let c = cross(vec3f(1, 2, 3), vec3f(4, 5, 6));
    d[4] = c.x;
    d[5] = c.y;
    d[6] = c.z;
    d[7] = dot(vec3f(1, 2, 3), vec3f(4, 5, 6));
    m[1][0] = 14.0;
    d[8] = transpose(m)[0].y;
    d[9] = normalize(vec3f(0, 5, 0)).y;
    d[10] = length(vec3f(1, 2, 2));
    d[11] = determinant(mat2x2f(1, 2, 3, 4));
}
