// As matrix_bounds.wgsl, in shapes that NVIDIA's GPUs have: 16x16 of f16, 16x32 of 8-bit integers.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
struct S { n: vec4<u32>, pad: array<f16, 3>, m: array<f16, 121>, t: array<vec4<f16>> }
@group(0) @binding(0) var<storage, read_write> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> s: S;
@group(0) @binding(2) var<storage, read_write> q: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> f: array<f32>;
@group(0) @binding(4) var<uniform> p: vec4<u32>;
@group(0) @binding(5) var<storage, read_write> b: array<i32>;
var<workgroup> w: array<f16, 300>;
var<workgroup> z: array<array<f32, 270>, 3>;
@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) subgroup: u32, @builtin(local_invocation_index) lane: u32) {
    let off = p.x % 40u;
    if (subgroup == 1) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&a, off, false, 16 + p.y % 5u);
        subgroupMatrixStore(&w, 30, m, true, 17);
        let k = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&s.m, 1, false, 7);
        subgroupMatrixStore(&s.t, 3 + p.z % 7u, k, false, 17);
        let r = subgroupMatrixLoad<subgroup_matrix_result<f32, 16, 16>>(&f, 11, true, 19);
        subgroupMatrixStore(&z[p.y % 4u], 3, r, false, 17);
        let g = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>, col_major>(&q, 1, 5);
        subgroupMatrixStore<row_major>(&q, 130, g, 4);
        let i = subgroupMatrixLoad<subgroup_matrix_left<u8, 32, 16>, col_major>(&f, 30, 5);
        subgroupMatrixStore<row_major>(&f, 400, i, 8);
        subgroupMatrixStore(&f, 0xfffffff0u, r, false, 0x20000003u);
        let j = subgroupMatrixLoad<subgroup_matrix_left<i8, 32, 16>>(&b, 5, false, 35);
        subgroupMatrixStore(&b, 700, subgroupMatrixScalarAdd(j, 100), false, 33);
        let e = subgroupMatrixLoad<subgroup_matrix_right<i8, 16, 32>>(&b, 0, true, 32);
        var acc = subgroup_matrix_result<i32, 16, 16>(7);
        acc = subgroupMatrixMultiplyAccumulate(j, e, acc);
        subgroupMatrixStore(&b, 1000, acc, false, 16);
    }
    workgroupBarrier();
    for (var i = lane; i < 300u; i += 64u) { a[600 + i] = w[i]; }
    for (var i = lane; i < 810u; i += 64u) { f[1000 + i] = z[i / 270][i % 270]; }
}
