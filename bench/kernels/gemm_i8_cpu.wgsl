// C = A * B, i8 into i32, row-major, m, n and k multiples of the tile: tuned for a CPU. One subgroup makes one matrix and loads
// operands from where they lie: the compiler copies them once, into the order of its multiply-add.
//
//   a  [m, k]   b  [k, n]   c  [m, n]    dispatch (n / 256, m / 256, 1)
//
// Four bytes lie in a word, so that the arrays are of i32; offsets and strides count bytes.

diagnostic(off, chromium.subgroup_matrix_uniformity);

enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const TM = 256u;
const TN = 256u;
const TK = 256u;

alias Left = subgroup_matrix_left<i8, TK, TM>;
alias Right = subgroup_matrix_right<i8, TN, TK>;
alias Result = subgroup_matrix_result<i32, TN, TM>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    let row0 = group.y * TM;
    let col0 = group.x * TN;
    var sum: Result;
    for (var k = 0u; k < sizes.k; k += TK) {
        let left = subgroupMatrixLoad<Left>(&a, row0 * sizes.k + k, false, sizes.k);
        let right = subgroupMatrixLoad<Right>(&b, k * sizes.n + col0, false, sizes.n);
        sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
    }
    subgroupMatrixStore(&c, row0 * sizes.n + col0, sum, false, sizes.n);
}
