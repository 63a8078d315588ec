struct P {
    a: i32,
    b: vec2<f32>,
}
const p = P(3, vec2(1.0, 2.0));
const q = array(P(1, vec2()), p);
const total = q[1].a + i32(q[1].b.y);
const_assert total == 5;
const s = vec4(1, 2, 3, 4).wzyx;
const_assert s.x == 4 && s[3] == 1;
const mat = mat3x2(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
const_assert mat[2][1] == 6;
const prod = mat * vec3(1, 0, 2);
const_assert prod.x == 11 && prod.y == 14;
const_assert dot(vec3(1, 2, 3), vec3(4, 5, 6)) == 32;
const_assert countOneBits(0xffu) == 8 && firstLeadingBit(8) == 3 && reverseBits(1u) == 0x80000000u;
const_assert extractBits(0xabcdu, 4, 8) == 0xbc;
const_assert insertBits(0u, 0xffu, 4, 4) == 0xf0;
const_assert abs(-3) == 3 && sign(-2.5) == -1;
const_assert floor(1.5) == 1 && ceil(1.5) == 2 && round(2.5) == 2 && trunc(-1.5) == -1;
const_assert bitcast<u32>(1.0f) == 0x3f800000u;
const_assert u32(-1i) == 0xffffffffu;
const_assert i32(3.9f) == 3 && u32(true) == 1 && bool(2) && !bool(0.0);
const_assert (1u - 1u) == 0u;
const_assert ~0u == 0xffffffffu;
const_assert !(true && false) && (true || false);
const_assert (5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6;
const_assert ldexp(1.0, 4) == 16 && fma(2.0, 3.0, 4.0) == 10;
const_assert modf(1.5).whole == 1 && frexp(8.0).exp == 4;
const_assert pack4xU8(vec4(1u, 2u, 3u, 4u)) == 0x04030201u;
const_assert dot4U8Packed(0x01010101u, 0x02020202u) == 8;
const_assert step(1.0, 2.0) == 1 && mix(0.0, 10.0, 0.5) == 5 && saturate(2.0) == 1;
const_assert length(vec2(3.0, 4.0)) == 5;
const_assert determinant(mat2x2(1, 2, 3, 4)) == -2;
const_assert transpose(mat2x3(1, 2, 3, 4, 5, 6))[2][1] == 6;
const_assert cross(vec3(1.0, 0, 0), vec3(0, 1.0, 0)).z == 1;
const_assert any(vec2(false, true)) && !all(vec2(false, true));
fn f() {
    const local = total * 2;
    const_assert local == 10;
    let arr = array<i32, local>();
    _ = arr[local - 1];
}
