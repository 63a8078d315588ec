enable f16;
fn f(a: vec4f, b: vec3h, c: vec2u, d: vec4<bool>, e: vec3i) -> vec4f {
    var v = vec4f(a.xyz, 1);
    v.x = a.w;
    v[1] = a.zyxw[2];
    v = vec4(a.xx, a.yy);
    let r = a.rgb;
    let s = a.abgr;
    let t = vec3h(b.x, b.yz);
    var u = vec2u();
    u = c * 2 + vec2u(1, 2) - c / 3 % 4;
    u <<= vec2u(1u);
    u = (u & c) | vec2(1u);
    let cmp = a < v;
    let both = (cmp & d) | select(d, cmp, true);
    v = select(v, a, both);
    let w = -e + 3 * e - e * vec3i(2);
    return v + f32(w.x) * s + vec4f(r, f32(t.x)) * f32(u.y) + 2.0 * a / 3.0;
}
