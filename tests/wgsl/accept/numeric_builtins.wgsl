enable f16;
fn f(x: f32, y: f32, v: vec3f, h: f16, i: i32, u: u32) -> f32 {
    var r = abs(x) + acos(0.5) + acosh(y) + asin(x) + asinh(x) + atan(x) + atan2(x, y) + atanh(x);
    r += ceil(x) + clamp(x, 0, 1) + cos(x) + cosh(x) + degrees(x) + distance(v, v.zyx) + dot(v, v);
    r += exp(x) + exp2(x) + faceForward(v, v, v).x + floor(x) + fma(x, y, 1) + fract(x);
    r += inverseSqrt(x) + ldexp(x, i) + length(v) + log(x) + log2(x) + max(x, y) + min(x, y) + mix(x, y, 0.5);
    r += mix(v, v, 0.5).x + normalize(v).y + pow(x, y) + quantizeToF16(x) + radians(x) + reflect(v, v).x;
    r += refract(v, v, 1.0).x + round(x) + saturate(x) + sign(x) + sin(x) + sinh(x) + smoothstep(0, 1, x) + sqrt(x);
    r += step(x, y) + tan(x) + tanh(x) + trunc(x);
    let m = modf(x);
    let e = frexp(v);
    r += m.fract + m.whole + e.fract.x + f32(e.exp.y);
    let a = abs(i) + countLeadingZeros(i) + countOneBits(i) + countTrailingZeros(i) + firstLeadingBit(i);
    let b = firstTrailingBit(u) + extractBits(u, 3, 5) + insertBits(u, 7, 2, 3) + reverseBits(u) + max(u, 3) + clamp(u, 1, 9);
    let hh = h * 2 + exp(h) + dot(vec2<f16>(h), vec2(1h, 2)) + fma(h, h, h);
    return r + f32(a) + f32(b) + f32(hh);
}
