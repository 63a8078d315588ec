enable f16;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@group(0) @binding(1) var<storage, read_write> h: array<f16>;
@group(0) @binding(2) var<storage, read_write> u: array<u32>;
@group(0) @binding(3) var<storage, read_write> i: array<i32>;
alias R = subgroup_matrix_result<f32, 8, 8>;
struct Tiles {
    sums: array<array<R, 2>, 2>,
    last: subgroup_matrix_left<f16, 8, 8>,
    count: u32,
}
var<private> kept: R;
var<private> many: array<subgroup_matrix_result<i32, 8, 8>, 4>;
fn scaled(m: R, by: f32) -> R { return subgroupMatrixScalarMultiply(m, by); }
fn add(p: ptr<function, R>, x: f32) { *p = subgroupMatrixScalarAdd(*p, x); }
fn tiles() -> Tiles { return Tiles(array(array(R(), R(1.0)), array<R, 2>()), subgroup_matrix_left<f16, 8, 8>(2.0h), 1); }
@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) id: vec3<u32>) {
    var t = tiles();
    t.sums[1][0] = subgroupMatrixScalarSubtract(t.sums[0][1], 0.5);
    t.sums[id.x % 2][1] = scaled(t.sums[0][0], 2);
    var local_ = R(f32(id.x));
    add(&local_, 3.0);
    kept = local_;
    let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&h, 0i, false, 8i);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&h, 64, true, 8);
    let mixed = subgroupMatrixMultiply<f32>(left, right);
    kept = subgroupMatrixMultiplyAccumulate(left, right, mixed);
    let ul = subgroupMatrixLoad<subgroup_matrix_left<u8, 16, 8>>(&u, 0, false, 16);
    let ur = subgroupMatrixLoad<subgroup_matrix_right<u8, 8, 16>>(&u, 64, false, 8);
    let us = subgroupMatrixMultiply<u32>(ul, ur);
    subgroupMatrixStore(&u, 128, subgroupMatrixScalarAdd(us, 3u), false, 8);
    let il = subgroup_matrix_left<i8, 8, 8>(-5);
    let im = subgroupMatrixScalarMultiply(il, 200);
    let ir = subgroup_matrix_right<i8, 8, 8>(i[0]);
    many[1] = subgroupMatrixMultiplyAccumulate(im, ir, many[0]);
    subgroupMatrixStore(&i, 0, many[1], true, 8);
    subgroupMatrixStore(&f, 0, kept, false, 8);
    let copy = t;
    subgroupMatrixStore(&f, 64, copy.sums[0][1], true, 8 + id.y);
}
