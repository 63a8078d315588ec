// What is computed with f32, on scalars, vectors and matrices.
@group(0) @binding(0) var<storage,read> x: array<f32>;
@group(0) @binding(1) var<storage,read_write> y: array<f32>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {
  let n = arrayLength(&x); let i = g.x; if (i >= n) { return; }
  let a = x[i]; let b = x[(i*7u+3u)%n]; let c = x[(i*5u+11u)%n];
  let A = vec3(a,b,c); let B = vec3(c,a,b); let M = mat3x3(A,B,vec3(b,b*a,c));
  y[i*138u + 0u] = a+b;
  y[i*138u + 1u] = a-b;
  y[i*138u + 2u] = a*b;
  y[i*138u + 3u] = a/(abs(b)+0.5);
  y[i*138u + 4u] = a%(abs(b)+0.25);
  y[i*138u + 5u] = -a;
  y[i*138u + 6u] = abs(a);
  y[i*138u + 7u] = sign(a);
  y[i*138u + 8u] = min(a,b);
  y[i*138u + 9u] = max(a,b);
  y[i*138u + 10u] = clamp(a,b,c);
  y[i*138u + 11u] = saturate(a);
  y[i*138u + 12u] = floor(a*3.0);
  y[i*138u + 13u] = ceil(a*3.0);
  y[i*138u + 14u] = round(a*3.0);
  y[i*138u + 15u] = trunc(a*3.0);
  y[i*138u + 16u] = fract(a*3.0);
  y[i*138u + 17u] = sqrt(abs(a));
  y[i*138u + 18u] = inverseSqrt(abs(a)+0.1);
  y[i*138u + 19u] = exp(a);
  y[i*138u + 20u] = exp2(a);
  y[i*138u + 21u] = log(abs(a)+0.1);
  y[i*138u + 22u] = log2(abs(a)+0.1);
  y[i*138u + 23u] = pow(abs(a)+0.1,b);
  y[i*138u + 24u] = sin(a);
  y[i*138u + 25u] = cos(a);
  y[i*138u + 26u] = tan(a);
  y[i*138u + 27u] = asin(a);
  y[i*138u + 28u] = acos(a);
  y[i*138u + 29u] = atan(a);
  y[i*138u + 30u] = atan2(a,b);
  y[i*138u + 31u] = sinh(a);
  y[i*138u + 32u] = cosh(a);
  y[i*138u + 33u] = tanh(a);
  y[i*138u + 34u] = asinh(a);
  y[i*138u + 35u] = acosh(abs(a)+1.5);
  y[i*138u + 36u] = atanh(a*0.9);
  y[i*138u + 37u] = degrees(a);
  y[i*138u + 38u] = radians(a);
  y[i*138u + 39u] = fma(a,b,c);
  y[i*138u + 40u] = mix(a,b,c);
  y[i*138u + 41u] = step(a,b);
  y[i*138u + 42u] = smoothstep(a,b+1.5,c);
  y[i*138u + 43u] = ldexp(a,3);
  y[i*138u + 44u] = ldexp(a,-3);
  y[i*138u + 45u] = frexp(a).fract;
  y[i*138u + 46u] = f32(frexp(a).exp);
  y[i*138u + 47u] = modf(a*4.0).fract;
  y[i*138u + 48u] = modf(a*4.0).whole;
  y[i*138u + 49u] = length(a);
  y[i*138u + 50u] = distance(a,b);
  y[i*138u + 51u] = f32(i32(a*100.0));
  y[i*138u + 52u] = f32(u32(abs(a)*100.0));
  y[i*138u + 53u] = f32(a<b);
  y[i*138u + 54u] = select(a,b,a<c);
  y[i*138u + 55u] = quantizeToF16(a);
  { let v = A+B; y[i*138u + 56u] = v.x; y[i*138u + 57u] = v.y; y[i*138u + 58u] = v.z; }
  { let v = A*B; y[i*138u + 59u] = v.x; y[i*138u + 60u] = v.y; y[i*138u + 61u] = v.z; }
  { let v = floor(A*3.0); y[i*138u + 62u] = v.x; y[i*138u + 63u] = v.y; y[i*138u + 64u] = v.z; }
  { let v = normalize(A); y[i*138u + 65u] = v.x; y[i*138u + 66u] = v.y; y[i*138u + 67u] = v.z; }
  { let v = cross(A,B); y[i*138u + 68u] = v.x; y[i*138u + 69u] = v.y; y[i*138u + 70u] = v.z; }
  { let v = faceForward(A,B,A); y[i*138u + 71u] = v.x; y[i*138u + 72u] = v.y; y[i*138u + 73u] = v.z; }
  { let v = reflect(A,B); y[i*138u + 74u] = v.x; y[i*138u + 75u] = v.y; y[i*138u + 76u] = v.z; }
  { let v = refract(normalize(A),normalize(B),0.7); y[i*138u + 77u] = v.x; y[i*138u + 78u] = v.y; y[i*138u + 79u] = v.z; }
  { let v = mix(A,B,0.3); y[i*138u + 80u] = v.x; y[i*138u + 81u] = v.y; y[i*138u + 82u] = v.z; }
  { let v = smoothstep(A,B+1.5,A); y[i*138u + 83u] = v.x; y[i*138u + 84u] = v.y; y[i*138u + 85u] = v.z; }
  { let v = M*A; y[i*138u + 86u] = v.x; y[i*138u + 87u] = v.y; y[i*138u + 88u] = v.z; }
  { let v = A*M; y[i*138u + 89u] = v.x; y[i*138u + 90u] = v.y; y[i*138u + 91u] = v.z; }
  { let v = transpose(M)*A; y[i*138u + 92u] = v.x; y[i*138u + 93u] = v.y; y[i*138u + 94u] = v.z; }
  { let v = (M*M)*A; y[i*138u + 95u] = v.x; y[i*138u + 96u] = v.y; y[i*138u + 97u] = v.z; }
  { let v = (M+M)*A; y[i*138u + 98u] = v.x; y[i*138u + 99u] = v.y; y[i*138u + 100u] = v.z; }
  { let v = (M-M*0.5)*A; y[i*138u + 101u] = v.x; y[i*138u + 102u] = v.y; y[i*138u + 103u] = v.z; }
  { let v = frexp(A).fract; y[i*138u + 104u] = v.x; y[i*138u + 105u] = v.y; y[i*138u + 106u] = v.z; }
  { let v = modf(A*5.0).whole; y[i*138u + 107u] = v.x; y[i*138u + 108u] = v.y; y[i*138u + 109u] = v.z; }
  { let v = clamp(A,B,A); y[i*138u + 110u] = v.x; y[i*138u + 111u] = v.y; y[i*138u + 112u] = v.z; }
  { let v = -A; y[i*138u + 113u] = v.x; y[i*138u + 114u] = v.y; y[i*138u + 115u] = v.z; }
  { let v = min(A,B); y[i*138u + 116u] = v.x; y[i*138u + 117u] = v.y; y[i*138u + 118u] = v.z; }
  { let v = max(A,B); y[i*138u + 119u] = v.x; y[i*138u + 120u] = v.y; y[i*138u + 121u] = v.z; }
  { let v = step(A,B); y[i*138u + 122u] = v.x; y[i*138u + 123u] = v.y; y[i*138u + 124u] = v.z; }
  { let v = ldexp(A,vec3i(1,2,-3)); y[i*138u + 125u] = v.x; y[i*138u + 126u] = v.y; y[i*138u + 127u] = v.z; }
  { let v = A.zyx; y[i*138u + 128u] = v.x; y[i*138u + 129u] = v.y; y[i*138u + 130u] = v.z; }
  { let v = vec3(A.xy,B.z); y[i*138u + 131u] = v.x; y[i*138u + 132u] = v.y; y[i*138u + 133u] = v.z; }
  y[i*138u + 134u] = dot(A,B);
  y[i*138u + 135u] = determinant(M);
  y[i*138u + 136u] = length(A);
  y[i*138u + 137u] = distance(A,B);
}
