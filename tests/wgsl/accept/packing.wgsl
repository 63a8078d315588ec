enable f16;
requires packed_4x8_integer_dot_product;
fn f(v: vec4f, w: vec2f, u: vec4u, s: vec4i, p: u32, q: u32) -> f32 {
    let a = pack4x8snorm(v) + pack4x8unorm(v) + pack2x16snorm(w) + pack2x16unorm(w) + pack2x16float(w);
    let b = pack4xI8(s) + pack4xU8(u) + pack4xI8Clamp(s) + pack4xU8Clamp(u);
    let c = unpack4x8snorm(a) + unpack4x8unorm(b);
    let d = unpack2x16snorm(a) + unpack2x16unorm(a) + unpack2x16float(b);
    let e = unpack4xI8(p);
    let g = unpack4xU8(q);
    let dots = dot4I8Packed(p, q) + i32(dot4U8Packed(p, q));
    let h = bitcast<vec2<f16>>(p);
    let i = bitcast<u32>(vec2(h.y, h.x));
    let j = bitcast<vec4<f16>>(vec2(p, q));
    let k = bitcast<vec2<u32>>(j);
    let l = bitcast<i32>(p) >> 24;
    return c.x + d.y + f32(dots + e.x + i32(g.w) + l) + f32(i + k.x) + bitcast<f32>(q);
}
