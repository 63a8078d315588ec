// What is computed with u32, on scalars and vectors: every result is exact.
@group(0) @binding(0) var<storage,read> x: array<u32>;
@group(0) @binding(1) var<storage,read_write> y: array<u32>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {
  let n = arrayLength(&x); let i = g.x; if (i >= n) { return; }
  let a = x[i]; let b = x[(i*7u+3u)%n]; let c = x[(i*5u+11u)%n];
  y[i*144u + 0u] = countLeadingZeros(a);
  y[i*144u + 1u] = countTrailingZeros(a);
  y[i*144u + 2u] = countOneBits(a);
  y[i*144u + 3u] = reverseBits(a);
  y[i*144u + 4u] = firstLeadingBit(a);
  y[i*144u + 5u] = firstTrailingBit(a);
  y[i*144u + 6u] = abs(a);
  y[i*144u + 7u] = (a + b);
  y[i*144u + 8u] = (a - b);
  y[i*144u + 9u] = (a * b);
  y[i*144u + 10u] = (a / b);
  y[i*144u + 11u] = (a % b);
  y[i*144u + 12u] = (a & b);
  y[i*144u + 13u] = (a | b);
  y[i*144u + 14u] = (a ^ b);
  y[i*144u + 15u] = (a << (u32(b) & 31u));
  y[i*144u + 16u] = (a >> (u32(b) % 32u));
  y[i*144u + 17u] = ~a;
  y[i*144u + 18u] = min(a,b);
  y[i*144u + 19u] = max(a,b);
  y[i*144u + 20u] = clamp(a,b,c);
  y[i*144u + 21u] = extractBits(a,u32(b)%40u,u32(c)%40u);
  y[i*144u + 22u] = insertBits(a,b,u32(b)%40u,u32(c)%40u);
  y[i*144u + 23u] = select(a,b,a<b);
  y[i*144u + 24u] = u32(i32(a));
  y[i*144u + 25u] = u32(bool(a));
  y[i*144u + 26u] = u32(bitcast<f32>(a));
  y[i*144u + 27u] = u32(f32(a));
  y[i*144u + 28u] = a/7;
  y[i*144u + 29u] = a%7;
  y[i*144u + 30u] = dot4U8Packed(a,b);
  y[i*144u + 31u] = u32(dot4I8Packed(a,b));
  y[i*144u + 32u] = pack4xU8(unpack4xU8(a)+unpack4xU8(b));
  y[i*144u + 33u] = pack4xI8(unpack4xI8(a)*unpack4xI8(b));
  y[i*144u + 34u] = pack4xU8Clamp(vec4u(a,b,c,7));
  y[i*144u + 35u] = pack4xI8Clamp(bitcast<vec4i>(vec4u(a,b,c,7)));
  let A = vec3(a,b,c); let B = vec3(c,a,b);
  { let v = countLeadingZeros(A); y[i*144u + 36u] = v.x; y[i*144u + 37u] = v.y; y[i*144u + 38u] = v.z; }
  { let v = reverseBits(A); y[i*144u + 39u] = v.x; y[i*144u + 40u] = v.y; y[i*144u + 41u] = v.z; }
  { let v = firstLeadingBit(A); y[i*144u + 42u] = v.x; y[i*144u + 43u] = v.y; y[i*144u + 44u] = v.z; }
  { let v = A/B; y[i*144u + 45u] = v.x; y[i*144u + 46u] = v.y; y[i*144u + 47u] = v.z; }
  { let v = A%B; y[i*144u + 48u] = v.x; y[i*144u + 49u] = v.y; y[i*144u + 50u] = v.z; }
  { let v = A*B; y[i*144u + 51u] = v.x; y[i*144u + 52u] = v.y; y[i*144u + 53u] = v.z; }
  { let v = min(A,B); y[i*144u + 54u] = v.x; y[i*144u + 55u] = v.y; y[i*144u + 56u] = v.z; }
  { let v = clamp(A,B,A*3); y[i*144u + 57u] = v.x; y[i*144u + 58u] = v.y; y[i*144u + 59u] = v.z; }
  { let v = A<<vec3u(3u,35u%32u,7u); y[i*144u + 60u] = v.x; y[i*144u + 61u] = v.y; y[i*144u + 62u] = v.z; }
  { let v = extractBits(A,u32(b)%40u,u32(c)%40u); y[i*144u + 63u] = v.x; y[i*144u + 64u] = v.y; y[i*144u + 65u] = v.z; }
  { let v = select(A,B,A<B); y[i*144u + 66u] = v.x; y[i*144u + 67u] = v.y; y[i*144u + 68u] = v.z; }
  { let v = countTrailingZeros(A); y[i*144u + 69u] = v.x; y[i*144u + 70u] = v.y; y[i*144u + 71u] = v.z; }
  { let v = insertBits(A,B,3u,9u); y[i*144u + 72u] = v.x; y[i*144u + 73u] = v.y; y[i*144u + 74u] = v.z; }
  { let v = A>>vec3u(1,2,3); y[i*144u + 75u] = v.x; y[i*144u + 76u] = v.y; y[i*144u + 77u] = v.z; }
  y[i*144u + 78u] = dot(A,B);
}
