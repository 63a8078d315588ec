//! subgroups 4 8 16
//! a       f32 8x4 random 1
//! b       f32 4x16 random 2
//! d       f32 8x16 marker
//! expect  d == a * b
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// Arrays of arrays of matrices, matrices in structs, as parameters and as results.
alias Left = subgroup_matrix_left<f32, 4, 4>;
alias Right = subgroup_matrix_right<f32, 8, 4>;
alias Result = subgroup_matrix_result<f32, 8, 4>;

struct Operands {
    left: array<Left, 2>,
    right: array<Right, 2>,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;

var<private> sums: array<array<Result, 2>, 2>;

fn load(which: u32) -> Operands {
    var o: Operands;
    for (var i = 0u; i < 2u; i++) {
        o.left[i] = subgroupMatrixLoad<Left>(&a, i * 16, false, 4);
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
                subgroupMatrixStore(&d, i * 64 + j * 8, sums[i][j], false, 16);
            }
        }
    }
}
