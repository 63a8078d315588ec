struct A { @align(32) x: f32, @size(64) y: vec3<f32>, z: u32, }
struct B { a: A, @align(16) b: array<vec4<u32>, 3>, }
struct C { m: mat3x3<f32>, @size(16) n: f32, }
@group(0) @binding(0) var<uniform> b: B;
@group(0) @binding(1) var<storage, read> c: array<C>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
@group(1) @binding(0) var<uniform> e: array<vec4<f32>, 8>;
@compute @workgroup_size(1)
fn main() {
    d[0] = b.a.x + b.a.y.z + f32(b.a.z + b.b[2].w) + c[1].m[2].y + e[7].x + c[0].n;
}
