//! a       u32 28 iota
//! d       u32 14 marker
//! expect  d == values 0 4 5 6 7 8 10 12 13 16 20 24 28 2
struct Inner {
    x: u32,            // 0
    v: vec3<u32>,      // 16
    y: u32,            // 28
    @align(16) p: vec2<u32>, // 32
}                      // 48

struct Outer {
    inner: Inner,      // 0
    list: array<vec2<u32>, 2>, // 48
    @size(16) z: u32,  // 64
    last: array<vec4<u32>>, // 80
}

@group(0) @binding(0) var<storage, read> a: Outer;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(1)
fn main() {
    d[0] = a.inner.x;
    d[1] = a.inner.v.x;
    d[2] = a.inner.v.y;
    d[3] = a.inner.v.z;
    d[4] = a.inner.y;
    let inner = a.inner;
    d[5] = inner.p[0];
    d[6] = inner.p.y + 1;
    d[7] = a.list[0].x;
    d[8] = a.list[0][1];
    d[9] = a.z;
    d[10] = a.last[0].x;
    d[11] = a.last[1].x;
    d[12] = a.last[1].w + 1;
    d[13] = arrayLength(&a.last);
}
