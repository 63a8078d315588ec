struct Inner {
    @size(16) a: f32,
    @align(16) b: vec2<f32>,
}
struct Outer {
    inner: Inner,
    list: array<Inner, 3>,
    m: mat4x3<f32>,
    n: u32,
};
struct Tail {
    header: vec4<u32>,
    rest: array<Outer>,
}
@group(0) @binding(0) var<storage, read_write> tail: Tail;
@group(0) @binding(1) var<uniform> one: Inner;
@group(0) @binding(2) var<storage> plain: Outer;
fn make(x: f32) -> Inner {
    return Inner(x, vec2(x, one.a));
}
@compute @workgroup_size(1)
fn main() {
    var o = Outer(make(1), array<Inner, 3>(), mat4x3<f32>(), 7u);
    o.list[1] = o.inner;
    o.list[2].b.y = 5;
    o.m[3] = vec3(1, 2, 3);
    o.m[2].x = plain.m[1][2];
    tail.header.w = arrayLength(&tail.rest);
    tail.rest[o.n % 4] = o;
    let copy = tail.rest[0];
    tail.rest[1].inner = copy.inner;
}
