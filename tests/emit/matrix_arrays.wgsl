// Matrices in arrays, structs, private memory, parameters and results.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
alias Left = subgroup_matrix_left<f16, 8, 8>;
alias Right = subgroup_matrix_right<f16, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;
struct Operands { left: array<Left, 2>, right: array<Right, 2>, }
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
var<private> sums: array<array<Result, 2>, 2>;
fn load(which: u32) -> Operands {
    var o: Operands;
    for (var i = 0u; i < 2u; i++) {
        o.left[i] = subgroupMatrixLoad<Left>(&a, i * 64, false, 8);
        o.right[i] = subgroupMatrixLoad<Right>(&b, i * 8, false, 16);
    }
    return o;
}
fn multiply(l: Left, r: Right, into: ptr<function, Result>) -> Result {
    *into = subgroupMatrixMultiplyAccumulate(l, r, *into);
    return *into;
}
@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) subgroup: u32) {
    let o = load(subgroup);
    for (var i = 0u; i < 2u; i++) {
        for (var j = 0u; j < 2u; j++) {
            var sum = Result();
            sums[i][j] = multiply(o.left[i], o.right[j], &sum);
        }
    }
    if (subgroup == 0) {
        for (var i = 0u; i < 2u; i++) {
            for (var j = 0u; j < 2u; j++) {
                subgroupMatrixStore(&d, i * 128 + j * 8, sums[i][j], false, 16);
            }
        }
    }
}
