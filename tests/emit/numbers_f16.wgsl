// What is computed with f16, on scalars, vectors and matrices.
enable f16;
@group(0) @binding(0) var<storage,read> x: array<f16>;
@group(0) @binding(1) var<storage,read_write> y: array<f16>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) g: vec3u) {
  let n = arrayLength(&x); let i = g.x; if (i >= n) { return; }
  let a = x[i]; let b = x[(i*7u+3u)%n]; let c = x[(i*5u+11u)%n];
  let A = vec3(a,b,c); let B = vec3(c,a,b); let M = mat3x3(A,B,vec3(b,b*a,c));
  y[i*137u + 0u] = a+b;
  y[i*137u + 1u] = a-b;
  y[i*137u + 2u] = a*b;
  y[i*137u + 3u] = a/(abs(b)+0.5h);
  y[i*137u + 4u] = a%(abs(b)+0.25h);
  y[i*137u + 5u] = -a;
  y[i*137u + 6u] = abs(a);
  y[i*137u + 7u] = sign(a);
  y[i*137u + 8u] = min(a,b);
  y[i*137u + 9u] = max(a,b);
  y[i*137u + 10u] = clamp(a,b,c);
  y[i*137u + 11u] = saturate(a);
  y[i*137u + 12u] = floor(a*3.0h);
  y[i*137u + 13u] = ceil(a*3.0h);
  y[i*137u + 14u] = round(a*3.0h);
  y[i*137u + 15u] = trunc(a*3.0h);
  y[i*137u + 16u] = fract(a*3.0h);
  y[i*137u + 17u] = sqrt(abs(a));
  y[i*137u + 18u] = inverseSqrt(abs(a)+0.1h);
  y[i*137u + 19u] = exp(a);
  y[i*137u + 20u] = exp2(a);
  y[i*137u + 21u] = log(abs(a)+0.1h);
  y[i*137u + 22u] = log2(abs(a)+0.1h);
  y[i*137u + 23u] = pow(abs(a)+0.1h,b);
  y[i*137u + 24u] = sin(a);
  y[i*137u + 25u] = cos(a);
  y[i*137u + 26u] = tan(a);
  y[i*137u + 27u] = asin(a);
  y[i*137u + 28u] = acos(a);
  y[i*137u + 29u] = atan(a);
  y[i*137u + 30u] = atan2(a,b);
  y[i*137u + 31u] = sinh(a);
  y[i*137u + 32u] = cosh(a);
  y[i*137u + 33u] = tanh(a);
  y[i*137u + 34u] = asinh(a);
  y[i*137u + 35u] = acosh(abs(a)+1.5h);
  y[i*137u + 36u] = atanh(a*0.9h);
  y[i*137u + 37u] = degrees(a);
  y[i*137u + 38u] = radians(a);
  y[i*137u + 39u] = fma(a,b,c);
  y[i*137u + 40u] = mix(a,b,c);
  y[i*137u + 41u] = step(a,b);
  y[i*137u + 42u] = smoothstep(a,b+1.5h,c);
  y[i*137u + 43u] = ldexp(a,3);
  y[i*137u + 44u] = ldexp(a,-3);
  y[i*137u + 45u] = frexp(a).fract;
  y[i*137u + 46u] = f16(frexp(a).exp);
  y[i*137u + 47u] = modf(a*4.0h).fract;
  y[i*137u + 48u] = modf(a*4.0h).whole;
  y[i*137u + 49u] = length(a);
  y[i*137u + 50u] = distance(a,b);
  y[i*137u + 51u] = f16(i32(a*100.0h));
  y[i*137u + 52u] = f16(u32(abs(a)*100.0h));
  y[i*137u + 53u] = f16(a<b);
  y[i*137u + 54u] = select(a,b,a<c);
  { let v = A+B; y[i*137u + 55u] = v.x; y[i*137u + 56u] = v.y; y[i*137u + 57u] = v.z; }
  { let v = A*B; y[i*137u + 58u] = v.x; y[i*137u + 59u] = v.y; y[i*137u + 60u] = v.z; }
  { let v = floor(A*3.0h); y[i*137u + 61u] = v.x; y[i*137u + 62u] = v.y; y[i*137u + 63u] = v.z; }
  { let v = normalize(A); y[i*137u + 64u] = v.x; y[i*137u + 65u] = v.y; y[i*137u + 66u] = v.z; }
  { let v = cross(A,B); y[i*137u + 67u] = v.x; y[i*137u + 68u] = v.y; y[i*137u + 69u] = v.z; }
  { let v = faceForward(A,B,A); y[i*137u + 70u] = v.x; y[i*137u + 71u] = v.y; y[i*137u + 72u] = v.z; }
  { let v = reflect(A,B); y[i*137u + 73u] = v.x; y[i*137u + 74u] = v.y; y[i*137u + 75u] = v.z; }
  { let v = refract(normalize(A),normalize(B),0.7h); y[i*137u + 76u] = v.x; y[i*137u + 77u] = v.y; y[i*137u + 78u] = v.z; }
  { let v = mix(A,B,0.3h); y[i*137u + 79u] = v.x; y[i*137u + 80u] = v.y; y[i*137u + 81u] = v.z; }
  { let v = smoothstep(A,B+1.5h,A); y[i*137u + 82u] = v.x; y[i*137u + 83u] = v.y; y[i*137u + 84u] = v.z; }
  { let v = M*A; y[i*137u + 85u] = v.x; y[i*137u + 86u] = v.y; y[i*137u + 87u] = v.z; }
  { let v = A*M; y[i*137u + 88u] = v.x; y[i*137u + 89u] = v.y; y[i*137u + 90u] = v.z; }
  { let v = transpose(M)*A; y[i*137u + 91u] = v.x; y[i*137u + 92u] = v.y; y[i*137u + 93u] = v.z; }
  { let v = (M*M)*A; y[i*137u + 94u] = v.x; y[i*137u + 95u] = v.y; y[i*137u + 96u] = v.z; }
  { let v = (M+M)*A; y[i*137u + 97u] = v.x; y[i*137u + 98u] = v.y; y[i*137u + 99u] = v.z; }
  { let v = (M-M*0.5h)*A; y[i*137u + 100u] = v.x; y[i*137u + 101u] = v.y; y[i*137u + 102u] = v.z; }
  { let v = frexp(A).fract; y[i*137u + 103u] = v.x; y[i*137u + 104u] = v.y; y[i*137u + 105u] = v.z; }
  { let v = modf(A*5.0h).whole; y[i*137u + 106u] = v.x; y[i*137u + 107u] = v.y; y[i*137u + 108u] = v.z; }
  { let v = clamp(A,B,A); y[i*137u + 109u] = v.x; y[i*137u + 110u] = v.y; y[i*137u + 111u] = v.z; }
  { let v = -A; y[i*137u + 112u] = v.x; y[i*137u + 113u] = v.y; y[i*137u + 114u] = v.z; }
  { let v = min(A,B); y[i*137u + 115u] = v.x; y[i*137u + 116u] = v.y; y[i*137u + 117u] = v.z; }
  { let v = max(A,B); y[i*137u + 118u] = v.x; y[i*137u + 119u] = v.y; y[i*137u + 120u] = v.z; }
  { let v = step(A,B); y[i*137u + 121u] = v.x; y[i*137u + 122u] = v.y; y[i*137u + 123u] = v.z; }
  { let v = ldexp(A,vec3i(1,2,-3)); y[i*137u + 124u] = v.x; y[i*137u + 125u] = v.y; y[i*137u + 126u] = v.z; }
  { let v = A.zyx; y[i*137u + 127u] = v.x; y[i*137u + 128u] = v.y; y[i*137u + 129u] = v.z; }
  { let v = vec3(A.xy,B.z); y[i*137u + 130u] = v.x; y[i*137u + 131u] = v.y; y[i*137u + 132u] = v.z; }
  y[i*137u + 133u] = dot(A,B);
  y[i*137u + 134u] = determinant(M);
  y[i*137u + 135u] = length(A);
  y[i*137u + 136u] = distance(A,B);
}
