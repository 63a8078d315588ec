// As matrix_arrays.wgsl, in a shape that NVIDIA's GPUs have.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
alias L = subgroup_matrix_left<f16, 16, 16>;
alias R = subgroup_matrix_right<f16, 16, 16>;
alias C = subgroup_matrix_result<f32, 16, 16>;
struct O { left: array<L, 2>, right: array<R, 2>, }
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
var<private> sums: array<array<C, 2>, 2>;
fn load() -> O { var o: O; for (var i = 0u; i < 2u; i++) { o.left[i] = subgroupMatrixLoad<L>(&a, i * 256, false, 16); o.right[i] = subgroupMatrixLoad<R>(&b, i * 16, false, 32); } return o; }
fn multiply(l: L, r: R, into: ptr<function, C>) -> C { *into = subgroupMatrixMultiplyAccumulate(l, r, *into); return *into; }
@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) subgroup: u32) {
    let o = load();
    for (var i = 0u; i < 2u; i++) { for (var j = 0u; j < 2u; j++) { var sum = C(); sums[i][j] = multiply(o.left[i], o.right[j], &sum); } }
    if (subgroup == 0) { for (var i = 0u; i < 2u; i++) { for (var j = 0u; j < 2u; j++) { subgroupMatrixStore(&d, i * 512 + j * 16, sums[i][j], false, 32); } } }
}
