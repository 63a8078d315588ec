// Tiles that leave their array in every kind of memory, at places that are not aligned, and far away.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
struct S { n: vec4<u32>, pad: array<f16, 3>, m: array<f16, 21>, t: array<vec4<f16>> }
@group(0) @binding(0) var<storage, read_write> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> s: S;
@group(0) @binding(2) var<storage, read_write> c: array<vec3<f32>>;
@group(0) @binding(3) var<storage, read_write> q: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> f: array<f32>;
@group(0) @binding(5) var<uniform> p: vec4<u32>;
var<workgroup> w: array<f16, 100>;
var<workgroup> z: array<array<f32, 70>, 3>;
@compute @workgroup_size(16)
fn main(@builtin(subgroup_id) subgroup: u32, @builtin(local_invocation_index) lane: u32) {
    let off = p.x % 40u;
    if (subgroup == 1) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&a, off, false, 8 + p.y % 5u);
        subgroupMatrixStore(&w, 30, m, true, 9);
        let k = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&s.m, 1, false, 2);
        subgroupMatrixStore(&s.t, 3 + p.z % 7u, k, false, 9);
        let r = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&f, 11, true, 7);
        subgroupMatrixStore(&z[p.y % 4u], 3, r, false, 8);
        let v = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&z[1], 3, false, 4);
        subgroupMatrixStore<row_major>(&c, 1, v, 3);
        let g = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>, col_major>(&q, 1, 2);
        subgroupMatrixStore<row_major>(&q, 30, g, 3);
        let i = subgroupMatrixLoad<subgroup_matrix_left<u8, 8, 8>, col_major>(&f, 30, 3);
        subgroupMatrixStore<row_major>(&f, 50, i, 2);
        subgroupMatrixStore(&f, 0xfffffff0u, r, false, 0x20000003u);
    }
    workgroupBarrier();
    for (var i = lane; i < 100u; i += 16u) { a[200 + i] = w[i]; }
    for (var i = lane; i < 210u; i += 16u) { f[200 + i] = z[i / 70][i % 70]; }
}
