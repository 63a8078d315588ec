const a = 1;
const b = 2;
const c = 3;
fn f(x: bool, y: bool) -> bool { return x && y; }
fn g() -> bool {
    let p = a < b;
    let q = f(a < b, (c > a));
    let r = array<i32, select(2, 3, a > b)>();
    let s = (a < b) == (b < c);
    let t = array<vec2<f32>, 2>();
    let u: array<array<vec4<f32>, 2>, 2>= array<array<vec4<f32>, 2>, 2>();
    var v = 8 >> 1u;
    v >>= 1u;
    if v >= b { return a<b || c>b; }
    let w = array<i32, 1 + (4 >> 1)>();
    return p && q && s && r[0] < w[0] && t[0].x <= u[0][0].x;
}
