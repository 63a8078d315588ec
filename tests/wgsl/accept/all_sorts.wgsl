enable f16, subgroups;
override width: u32 = 8;
@id(3) override gain: f32 = 1.5;
@id(4) override fancy: bool;
const table = array(1, 2, 3, 5);
const sizes = array<vec2f, 2>(vec2f(1), vec2f(2, 3));
struct Light { pos: vec3f, kind: u32, color: vec4<f32>, m: mat3x3<f32>, }
struct Scene { count: u32, @align(16) @size(32) ambient: vec3f, lights: array<Light>, }
@group(0) @binding(0) var<storage, read> scene: Scene;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(2) var<uniform> proj: mat4x4f;
var<workgroup> tile: array<array<f32, 4>, 16>;
var<workgroup> sized: array<u32, width * 2>;
var<workgroup> counter: atomic<i32>;
var<private> seed: u32 = 7u;
const_assert table[3] == 5;
fn hash(v: u32) -> u32 { var x = v; x ^= x >> 16; x *= 0x7feb352du; x = (x ^ (x >> 15)) * 0x846ca68bu; return x; }
fn fill(p: ptr<function, array<f32, 4>>, v: f32) { for (var i = 0u; i < 4; i += 1u) { (*p)[i] = v; p[i] += 1; } }
fn shade(l: Light, n: vec3f) -> vec4f {
    let d = normalize(l.pos - n);
    switch l.kind {
        case 0, 1: { return l.color * max(dot(d, n), 0.0); }
        case 2u { return vec4f(reflect(d, n), 1); }
        default { return vec4f(); }
    }
}
@must_use fn pick(a: i32, b: i32) -> i32 { if a < b { return a; } else if a == b { return 0; } return b; }
@compute @workgroup_size(width, 2, 1)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(global_invocation_id) gid: vec3u, @builtin(num_workgroups) nw: vec3u, @builtin(subgroup_size) sgs: u32) {
    var acc = vec4f(0);
    var local: array<f32, 4>;
    fill(&local, gain);
    tile[lid.x % 16][lid.y] = local[2];
    atomicStore(&counter, 0);
    workgroupBarrier();
    let old = atomicAdd(&counter, i32(lid.x));
    let ex = atomicCompareExchangeWeak(&counter, 1, 2);
    if ex.exchanged && ex.old_value != old { seed += 1; }
    var i = 0u;
    loop {
        if i >= scene.count { break; }
        let l = scene.lights[i];
        acc += shade(l, l.m * scene.ambient);
        continuing { i++; break if i > 64u; }
    }
    while i > 0 { i--; if (i & 3) == 1 { continue; } acc.x += f32(i); }
    let h = vec2<f16>(acc.xy) * 2.0h;
    let q = select(acc, proj * acc, fancy || gid.x > nw.x);
    acc = vec4f(vec2f(h), q.zw);
    _ = pick(1, -2);
    let b = bitcast<u32>(acc.w) | ((hash(gid.x) & 0xffu) << 2u);
    out[gid.x] = acc + unpack4x8unorm(b) + f32(table[lid.x & 3]) + sizes[1].x + subgroupAdd(acc.x);
    out[gid.y].x = f32(i32(-5) / 2) + f32(extractBits(b, 3, 4u)) + frexp(acc.x).fract + modf(acc.y).whole;
}
