// What is computed with i32, on scalars and vectors: every result is exact.
@group(0) @binding(0) var<storage,read> x: array<i32>;
@group(0) @binding(1) var<storage,read_write> y: array<i32>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {
  let n = arrayLength(&x); let i = g.x; if (i >= n) { return; }
  let a = x[i]; let b = x[(i*7u+3u)%n]; let c = x[(i*5u+11u)%n];
  y[i*136u + 0u] = countLeadingZeros(a);
  y[i*136u + 1u] = countTrailingZeros(a);
  y[i*136u + 2u] = countOneBits(a);
  y[i*136u + 3u] = reverseBits(a);
  y[i*136u + 4u] = firstLeadingBit(a);
  y[i*136u + 5u] = firstTrailingBit(a);
  y[i*136u + 6u] = abs(a);
  y[i*136u + 7u] = sign(a);
  y[i*136u + 8u] = (a + b);
  y[i*136u + 9u] = (a - b);
  y[i*136u + 10u] = (a * b);
  y[i*136u + 11u] = (a / b);
  y[i*136u + 12u] = (a % b);
  y[i*136u + 13u] = (a & b);
  y[i*136u + 14u] = (a | b);
  y[i*136u + 15u] = (a ^ b);
  y[i*136u + 16u] = (a << (u32(b) & 31u));
  y[i*136u + 17u] = (a >> (u32(b) % 32u));
  y[i*136u + 18u] = ~a;
  y[i*136u + 19u] = min(a,b);
  y[i*136u + 20u] = max(a,b);
  y[i*136u + 21u] = clamp(a,b,c);
  y[i*136u + 22u] = extractBits(a,u32(b)%40u,u32(c)%40u);
  y[i*136u + 23u] = insertBits(a,b,u32(b)%40u,u32(c)%40u);
  y[i*136u + 24u] = select(a,b,a<b);
  y[i*136u + 25u] = -a;
  y[i*136u + 26u] = i32(u32(a));
  y[i*136u + 27u] = i32(a==b);
  y[i*136u + 28u] = i32(bitcast<f32>(a));
  y[i*136u + 29u] = i32(f32(a));
  y[i*136u + 30u] = a/7;
  y[i*136u + 31u] = a%7;
  y[i*136u + 32u] = a/-1;
  y[i*136u + 33u] = a%-3;
  let A = vec3(a,b,c); let B = vec3(c,a,b);
  { let v = countLeadingZeros(A); y[i*136u + 34u] = v.x; y[i*136u + 35u] = v.y; y[i*136u + 36u] = v.z; }
  { let v = reverseBits(A); y[i*136u + 37u] = v.x; y[i*136u + 38u] = v.y; y[i*136u + 39u] = v.z; }
  { let v = firstLeadingBit(A); y[i*136u + 40u] = v.x; y[i*136u + 41u] = v.y; y[i*136u + 42u] = v.z; }
  { let v = A/B; y[i*136u + 43u] = v.x; y[i*136u + 44u] = v.y; y[i*136u + 45u] = v.z; }
  { let v = A%B; y[i*136u + 46u] = v.x; y[i*136u + 47u] = v.y; y[i*136u + 48u] = v.z; }
  { let v = A*B; y[i*136u + 49u] = v.x; y[i*136u + 50u] = v.y; y[i*136u + 51u] = v.z; }
  { let v = min(A,B); y[i*136u + 52u] = v.x; y[i*136u + 53u] = v.y; y[i*136u + 54u] = v.z; }
  { let v = clamp(A,B,A*3); y[i*136u + 55u] = v.x; y[i*136u + 56u] = v.y; y[i*136u + 57u] = v.z; }
  { let v = A<<vec3u(3u,35u%32u,7u); y[i*136u + 58u] = v.x; y[i*136u + 59u] = v.y; y[i*136u + 60u] = v.z; }
  { let v = extractBits(A,u32(b)%40u,u32(c)%40u); y[i*136u + 61u] = v.x; y[i*136u + 62u] = v.y; y[i*136u + 63u] = v.z; }
  { let v = select(A,B,A<B); y[i*136u + 64u] = v.x; y[i*136u + 65u] = v.y; y[i*136u + 66u] = v.z; }
  { let v = countTrailingZeros(A); y[i*136u + 67u] = v.x; y[i*136u + 68u] = v.y; y[i*136u + 69u] = v.z; }
  { let v = insertBits(A,B,3u,9u); y[i*136u + 70u] = v.x; y[i*136u + 71u] = v.y; y[i*136u + 72u] = v.z; }
  { let v = A>>vec3u(1,2,3); y[i*136u + 73u] = v.x; y[i*136u + 74u] = v.y; y[i*136u + 75u] = v.z; }
  y[i*136u + 76u] = dot(A,B);
}
