// C = A * B, i8 into i32, row-major, m, n and k multiples of the tile: for devices with matrices of 8 x 8 x 8 and subgroups of 8,
// whose subgroups share blocks in workgroup memory; four bytes lie in a word
//
//   a  [m, k]   b  [k, n]   c  [m, n]    dispatch (n / 64, m / 64, 1)

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

const SUBGROUP = 8u;
const BM = 64u; // a workgroup's block of C
const BN = 64u;
const BK = 32u;
const SM = 32u; // a subgroup's part of it
const SN = 32u;
const T = 8u; // a matrix
const ROWS = SM / T;
const COLS = SN / T;
const INVOCATIONS = BM / SM * (BN / SN) * SUBGROUP;
const PACK = 4u; // components of a word
const AW = BK / PACK;
const BW = BN / PACK;

alias Left = subgroup_matrix_left<i8, T, T>;
alias Right = subgroup_matrix_right<i8, T, T>;
alias Result = subgroup_matrix_result<i32, T, T>;

var<workgroup> a_block: array<i32, BM * AW>;
var<workgroup> b_block: array<i32, BK * BW>;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row0 = group.y * BM;
    let col0 = group.x * BN;
    let subgroup = lane / SUBGROUP;
    let sub_row = subgroup / (BN / SN) * SM;
    let sub_col = subgroup % (BN / SN) * SN;
    var sum: array<Result, ROWS * COLS>;

    for (var k0 = 0u; k0 < sizes.k; k0 += BK) {
        for (var i = lane; i < BM * AW; i += INVOCATIONS) {
            a_block[i] = a[((row0 + i / AW) * sizes.k + k0) / PACK + i % AW];
        }
        for (var i = lane; i < BK * BW; i += INVOCATIONS) {
            b_block[i] = b[((k0 + i / BW) * sizes.n + col0) / PACK + i % BW];
        }
        workgroupBarrier();
        for (var k = 0u; k < BK; k += T) {
            for (var i = 0u; i < ROWS; i++) {
                let left = subgroupMatrixLoad<Left>(&a_block, (sub_row + i * T) * BK + k, false, BK);
                for (var j = 0u; j < COLS; j++) {
                    let right = subgroupMatrixLoad<Right>(&b_block, k * BN + sub_col + j * T, false, BN);
                    sum[i * COLS + j] = subgroupMatrixMultiplyAccumulate(left, right, sum[i * COLS + j]);
                }
            }
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < ROWS; i++) {
        for (var j = 0u; j < COLS; j++) {
            let at = (row0 + sub_row + i * T) * sizes.n + col0 + sub_col + j * T;
            subgroupMatrixStore(&c, at, sum[i * COLS + j], false, sizes.n);
        }
    }
}
