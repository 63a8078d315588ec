// C = A * B, i8 into i32, row-major, m, n and k multiples of the tile: tuned for a CPU, one matrix a subgroup
//
//   a  [m, k]   b  [k, n]   c  [m, n]    dispatch (n / 256, m / 256, 1)

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

const INVOCATIONS = 128u;
const BM = 256u; // a workgroup's block of C
const BN = 256u;
const BK = 64u;
const SM = 128u; // a subgroup's part of it
const SN = 128u;
const TM = 128u; // a matrix
const TN = 128u;
const TK = 64u;
const ROWS = SM / TM;
const COLS = SN / TN;

alias Left = subgroup_matrix_left<i8, TK, TM>;
alias Right = subgroup_matrix_right<i8, TN, TK>;
alias Result = subgroup_matrix_result<i32, TN, TM>;

const AW = BK / 4u; // words of four components
const BW = BN / 4u;
var<workgroup> a_block: array<i32, BM * AW>;
var<workgroup> b_block: array<i32, BK * BW>;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32) {
    let row0 = group.y * BM;
    let col0 = group.x * BN;
    let sub_row = subgroup / (BN / SN) * SM;
    let sub_col = subgroup % (BN / SN) * SN;
    var sum: array<Result, ROWS * COLS>;

    for (var k0 = 0u; k0 < sizes.k; k0 += BK) {
        for (var i = lane; i < BM * AW; i += INVOCATIONS) {
            a_block[i] = a[((row0 + i / AW) * sizes.k + k0) / 4u + i % AW];
        }
        for (var i = lane; i < BK * BW; i += INVOCATIONS) {
            b_block[i] = b[((k0 + i / BW) * sizes.n + col0) / 4u + i % BW];
        }
        workgroupBarrier();
        for (var k = 0u; k < BK; k += TK) {
            for (var i = 0u; i < ROWS; i++) {
                let left = subgroupMatrixLoad<Left>(&a_block, (sub_row + i * TM) * BK + k, false, BK);
                for (var j = 0u; j < COLS; j++) {
                    let right = subgroupMatrixLoad<Right>(&b_block, k * BN + sub_col + j * TN, false, BN);
                    sum[i * COLS + j] = subgroupMatrixMultiplyAccumulate(left, right, sum[i * COLS + j]);
                }
            }
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < ROWS; i++) {
        for (var j = 0u; j < COLS; j++) {
            let at = (row0 + sub_row + i * TM) * sizes.n + col0 + sub_col + j * TN;
            subgroupMatrixStore(&c, at, sum[i * COLS + j], false, sizes.n);
        }
    }
}
