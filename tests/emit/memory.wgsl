// Structs, matrices and arrays in every address space, whole and in part; pointers to all of them; atomics.
enable f16;
struct In { a: vec3<f32>, b: f32, m: mat3x3<f32>, c: array<vec2<u32>, 3>, d: mat2x4<f32>, }
struct Un { k: vec4<u32>, m: mat4x3<f32>, ms: array<mat3x4<f32>, 2>, s: array<vec4<f32>, 5>, q: In2 }
struct In2 { x: vec2<f32>, y: f32, z: u32 }
struct Out { n: u32, ins: array<In, 2>, t: array<In> }
@group(0) @binding(0) var<storage, read_write> o: Out;
@group(0) @binding(1) var<uniform> u: Un;
@group(0) @binding(2) var<storage, read_write> f: array<f32>;
@group(1) @binding(3) var<storage, read> r: array<array<u32, 4>, 6>;
@group(1) @binding(5) var<storage, read_write> h: array<vec4<f16>>;
@group(1) @binding(7) var<storage, read_write> ms: array<mat2x2<f32>, 4>;
@group(1) @binding(8) var<storage, read_write> mh: array<mat3x3<f16>, 3>;
struct W { b: bool, c: array<bool, 5>, x: In, v: vec3<bool> }
var<workgroup> w: W;
var<workgroup> wa: array<array<f32, 7>, 5>;
var<workgroup> at: array<atomic<u32>, 9>;
var<private> p: array<i32, 6> = array(3, 1, 4, 1, 5, 9);
var<private> pw: W;
const table = array(2u, 3u, 5u, 7u, 11u, 13u);
fn sum(a: array<vec2<u32>, 3>) -> u32 { return a[0].x + a[1].y * 10u + a[2].x * 100u; }
fn put(q: ptr<function, array<In, 2>>, i: u32, v: f32) { (*q)[i].a.y = v; (*q)[1].m[i][2] = v; (*q)[i].c[1] = vec2(i, 5u); }
fn bump(a: ptr<workgroup, array<f32, 7>>, i: u32) { (*a)[i] += 1.5; }
fn bumps(a: ptr<storage, In, read_write>, k: u32) -> f32 { (*a).m[k] = (*a).m[k].zxy; (*a).c[k] += vec2(1u, 2u); return (*a).a[k]; }
fn deep(a: ptr<storage, array<In>, read_write>, k: u32) -> f32 { return bumps(&(*a)[k], k) + f32(arrayLength(a)); }
fn pick(v: vec4<f32>, i: u32) -> f32 { return v[i]; }
fn pickm(m: mat4x3<f32>, i: u32, j: u32) -> f32 { return m[i][j]; }
fn swap(a: ptr<private, i32>, b: ptr<function, i32>) { let t = *a; *a = *b; *b = t; }
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) l: u32) {
    if (l == 0) {
        var loc: array<In, 2> = o.ins;
        put(&loc, u.k.x % 2u, 9.0);
        loc[0].d = u.ms[1][0].x * loc[1].d;
        o.ins = loc;
        o.t[1] = o.ins[u.k.y % 2u];
        f[0] = deep(&o.t, 2u);
        f[1] = bumps(&o.ins[1], 1u);
        f[2] = pick(u.s[u.k.z % 5u], u.k.w % 5u);
        f[3] = pickm(u.m, u.k.x % 4u, u.k.y % 3u);
        f[4] = f32(sum(o.ins[0].c));
        f[5] = f32(table[u.k.x % 7u]);
        f[6] = f32(array(u.k.x, u.k.y, u.k.z)[u.k.w % 4u]);
        f[7] = (u.m * u.s[1]).y + u.q.y + u.q.x.y;
        f[8] = determinant(o.ins[0].m);
        var z = 5i;
        swap(&p[u.k.x % 6u], &z);
        f[9] = f32(z);
        f[10] = f32(p[0] + p[1] * 10 + p[2] * 100 + p[3] * 1000 + p[4] * 10000 + p[5] * 100000);
        h[1] = h[0].wzyx + h[2] * 2.0h;
        h[3][u.k.x % 4u] = 7.0h;
        ms[1] = transpose(ms[0]) * ms[2];
        ms[3][u.k.x % 2u] = vec2(1.0, 2.0);
        mh[2] = mh[0] * mh[1];
        mh[0][1].z = 5.0h;
        var un = u;
        un.ms[0][1] = vec4(f[3]);
        f[11] = un.ms[0][u.k.x % 3u].z;
        w.x = o.t[0];
        w.c[u.k.x % 5u] = true;
        w.v = vec3(true, false, u.k.x > 5u);
        pw = w;
        pw.c[2] = !pw.c[2];
        f[12] = select(0.0, 1.0, pw.c[2]) + select(0.0, 2.0, any(w.v)) + select(0.0, 4.0, all(w.v)) + pw.x.m[1].y;
        let uu = u.q; f[13] = uu.x.x + uu.y + f32(uu.z);
        var arr = r[u.k.x % 6u]; arr[u.k.y % 4u] += 3u; f[14] = f32(arr[0] + arr[1] + arr[2] + arr[3]);
        o.n = arrayLength(&o.t) * 1000u + arrayLength(&f);
        var vv = vec4(1.0, 2.0, 3.0, 4.0); vv[u.k.w % 4u] = 9.0; vv.y *= 2.0; f[15] = vv.x + vv.y * 10.0 + vv.z * 100.0 + vv.w * 1000.0;
        var mm = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0); mm[u.k.x % 2u][u.k.y % 3u] = 0.0; f[16] = dot(mm[0], mm[1]);
    }
    bump(&wa[l % 5u], l % 7u);
    atomicAdd(&at[l % 9u], l * 3u); 
    workgroupBarrier();
    atomicMax(&at[8], l); atomicXor(&at[(l + 3u) % 9u], 0x10u);
    let ex = atomicCompareExchangeWeak(&at[7], 21u ^ 0x10u, 77u);
    workgroupBarrier();
    f[20 + l] = wa[l % 5u][l % 7u] + f32(atomicLoad(&at[l]));
    f[30 + l] = f32(wa[4][l % 7u]) + select(0.0, 100.0, w.c[l % 5u]);
    if (ex.exchanged) { f[40] += 1.0; }
}
