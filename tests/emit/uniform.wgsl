// A uniform buffer with a layout that Vulkan takes only with a further feature.
enable f16;
struct A { a: f32, @align(8) m: mat2x2<f32>, b: f32, n: mat3x2<f32>, h: mat2x2<f16>, k: mat4x3<f16>, i: mat3x4<f16>, q: array<mat4x4<f32>,2>, v: vec2<f16>, w: f16 }
struct B { x: array<A, 2>, @align(16) y: mat2x2<f32>, @align(16) z: array<mat4x3<f16>, 3> }
@group(0) @binding(0) var<uniform> u: B;
@group(0) @binding(1) var<storage, read_write> f: array<f32>;
@group(0) @binding(2) var<uniform> i: vec4<u32>;
@group(0) @binding(3) var<uniform> mm: mat2x2<f32>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) l: u32) {
    if (l == 0) {
        f[0] = u.x[1].m[1][0]; f[1] = u.x[i.x % 2u].n[i.y % 3u][i.z % 2u]; f[2] = f32(u.x[0].h[1].y); f[3] = (u.x[0].m * u.y)[0].y;
        f[4] = f32(u.x[i.x % 3u].k[i.y % 5u][i.z % 4u]); let c = u; f[5] = c.x[1].q[1][2].w + f32(c.x[0].w); f[6] = f32(u.x[0].v.y); let d = u.x[i.x % 2u]; f[7] = f32(d.i[1].z) + d.b; f[8] = mm[i.x % 2u].y;
        f[9] = f32(u.z[i.w % 3u][2].y); f[10] = u.x[1].q[i.x%2u][1].z;
    }
}
