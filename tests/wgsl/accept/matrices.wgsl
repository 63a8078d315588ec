enable f16;
fn f(a: mat4x4f, b: mat3x4<f32>, c: mat2x2h, v: vec4f) -> vec4f {
    var m = mat4x4f(v, v, v, v);
    m = a * m;
    m += a;
    m -= m * 2.0;
    m *= 0.5;
    m *= a;
    m[1] = v;
    m[2][3] = 1;
    return m * v + v * a;
}
fn g(a: mat3x4<f32>, b: mat4x3<f32>) -> mat4x4<f32> {
    let t = transpose(b);
    let p = a * b;
    let q = mat2x3<f32>(1, 2, 3, 4, 5, 6);
    let r = q * vec2(1.0, 2.0);
    let identity = mat3x3(1.0, 0, 0, 0, 1, 0, 0, 0, 1);
    let inverse_scale = 1.0 / determinant(identity);
    return p + mat4x4<f32>(vec4(r, inverse_scale), t[0], t[1], t[2]);
}
