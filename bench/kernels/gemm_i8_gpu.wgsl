// C = A * B on a GPU with matrices of 16x16x32 and subgroups of 32: i8 inputs, sums in i32. As gemm_f16_gpu.wgsl, which says
// how it works; but B lies transposed, as weights do: a GPU that loads 8-bit matrices against their order takes twice as
// long (NVIDIA H200: 242 TOP/s instead of 539).
//
//   a  [m, k]   b  [n, k]   c  [m, n]     all row-major, without gaps; one workgroup a block: dispatch ACROSS * DOWN, 1, 1
//
// Assumes: as there.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

override SIZE_M = 256u;
override SIZE_N = 512u;
override SIZE_K = 128u;
override WAYS_M = 2u;                    // subgroups of a workgroup, down and across its block
override WAYS_N = 4u;
override BAND = 8u;
override STAGGER = 2u;
override BETWEEN = 2u;                   // columns of products between the barriers

const SUBGROUP = 32u;
const M = 16u;                           // a tile: A is M x K, B is K x N, C is M x N
const N = 16u;
const K = 32u;
const TILES_M = 4u;                      // of a subgroup
const TILES_N = 4u;
const DEPTH = 2u * K;                    // two halves: see left0, left1
const LANES = 16u;                       // components of a vec4<u32>
const PAD = 1u;                          // vec4<u32> behind each row
const COPIES = 8u;                       // at most, of an invocation

alias Left = subgroup_matrix_left<i8, K, M>;
alias Right = subgroup_matrix_right<i8, N, K>;
alias Result = subgroup_matrix_result<i32, N, M>;

override INVOCATIONS = SUBGROUP * WAYS_M * WAYS_N;
override BLOCK_M = WAYS_M * TILES_M * M;
override BLOCK_N = WAYS_N * TILES_N * N;
override ACROSS = SIZE_N / BLOCK_N;      // blocks of C
override DOWN = SIZE_M / BLOCK_M;
override ROWS = select(1u, min(BAND, DOWN), DOWN % min(BAND, DOWN) == 0u); // of a band
override STEPS = SIZE_K / DEPTH;
// In vec4<u32>: rows of A and B, rows of a strip, and rows in workgroup memory.
override ROW = SIZE_K / LANES;
const STRIP = DEPTH / LANES;
const PITCH = STRIP + PAD;
override RISE = INVOCATIONS / STRIP;     // rows that all invocations copy together
override A_COPIES = BLOCK_M / RISE;
override B_COPIES = BLOCK_N / RISE;

@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;

var<workgroup> a_block: array<vec4<u32>, BLOCK_M * PITCH>;
var<workgroup> b_block: array<vec4<u32>, BLOCK_N * PITCH>;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32) {
    let block = group.x;
    if (block >= ACROSS * DOWN) { return; }
    if (arrayLength(&a) < SIZE_M * ROW) { return; }
    if (arrayLength(&b) < SIZE_N * ROW) { return; }
    if (arrayLength(&c) < SIZE_M * SIZE_N) { return; }
    let row0 = (block / (ROWS * ACROSS) * ROWS + block % ROWS) * BLOCK_M;
    let col0 = block % (ROWS * ACROSS) / ROWS * BLOCK_N;

    // What this invocation copies, and where to.
    let a_from = (row0 + lane / STRIP) * ROW + lane % STRIP;
    let b_from = (col0 + lane / STRIP) * ROW + lane % STRIP;
    let to = lane / STRIP * PITCH + lane % STRIP;
    // Where this subgroup's matrices begin.
    let a_at = subgroup / WAYS_N * (TILES_M * M) * PITCH;
    let b_at = subgroup % WAYS_N * (TILES_N * N) * PITCH;

    var sum: array<array<Result, TILES_N>, TILES_M>;
    var a_next: array<vec4<u32>, COPIES>;
    var b_next: array<vec4<u32>, COPIES>;
    var left0: array<Left, TILES_M>;     // of the first half of a strip
    var right0: array<Right, TILES_N>;
    var left1: array<Left, TILES_M>;     // of the second half
    var right1: array<Right, TILES_N>;

    // The first strip to workgroup memory, the second on its way, the first half's matrices.
    let first = block * STAGGER % STEPS;
    for (var i = 0u; i < A_COPIES; i++) {
        a_block[to + i * (RISE * PITCH)] = a[a_from + first * STRIP + i * (RISE * ROW)];
    }
    for (var i = 0u; i < B_COPIES; i++) {
        b_block[to + i * (RISE * PITCH)] = b[b_from + first * STRIP + i * (RISE * ROW)];
    }
    let second = (first + 1u) % STEPS;
    for (var i = 0u; i < A_COPIES; i++) { a_next[i] = a[a_from + second * STRIP + i * (RISE * ROW)]; }
    for (var i = 0u; i < B_COPIES; i++) { b_next[i] = b[b_from + second * STRIP + i * (RISE * ROW)]; }
    workgroupBarrier();
    for (var i = 0u; i < TILES_M; i++) {
        left0[i] = subgroupMatrixLoad<Left, row_major>(&a_block, a_at + i * (M * PITCH), PITCH);
    }
    for (var j = 0u; j < TILES_N; j++) {
        right0[j] = subgroupMatrixLoad<Right, col_major>(&b_block, b_at + j * (N * PITCH), PITCH);
    }

    for (var step = 0u; step < STEPS; step++) {
        for (var i = 0u; i < TILES_M; i++) {
            left1[i] = subgroupMatrixLoad<Left, row_major>(&a_block, a_at + i * (M * PITCH) + K / LANES, PITCH);
        }
        for (var j = 0u; j < TILES_N; j++) {
            right1[j] = subgroupMatrixLoad<Right, col_major>(&b_block, b_at + j * (N * PITCH) + K / LANES, PITCH);
        }
        for (var j = 0u; j < TILES_N; j++) {
            for (var i = 0u; i < TILES_M; i++) {
                sum[i][j] = subgroupMatrixMultiplyAccumulate(left0[i], right0[j], sum[i][j]);
            }
        }
        workgroupBarrier();
        // The next strip, and the one after it on its way; past the end these are the first ones again, for nobody.
        for (var i = 0u; i < A_COPIES; i++) { a_block[to + i * (RISE * PITCH)] = a_next[i]; }
        for (var i = 0u; i < B_COPIES; i++) { b_block[to + i * (RISE * PITCH)] = b_next[i]; }
        let ahead = (first + step + 2u) % STEPS;
        for (var i = 0u; i < A_COPIES; i++) { a_next[i] = a[a_from + ahead * STRIP + i * (RISE * ROW)]; }
        for (var i = 0u; i < B_COPIES; i++) { b_next[i] = b[b_from + ahead * STRIP + i * (RISE * ROW)]; }
        for (var j = 0u; j < BETWEEN; j++) {
            for (var i = 0u; i < TILES_M; i++) {
                sum[i][j] = subgroupMatrixMultiplyAccumulate(left1[i], right1[j], sum[i][j]);
            }
        }
        workgroupBarrier();
        for (var i = 0u; i < TILES_M; i++) {
            left0[i] = subgroupMatrixLoad<Left, row_major>(&a_block, a_at + i * (M * PITCH), PITCH);
        }
        for (var j = 0u; j < TILES_N; j++) {
            right0[j] = subgroupMatrixLoad<Right, col_major>(&b_block, b_at + j * (N * PITCH), PITCH);
        }
        for (var j = BETWEEN; j < TILES_N; j++) {
            for (var i = 0u; i < TILES_M; i++) {
                sum[i][j] = subgroupMatrixMultiplyAccumulate(left1[i], right1[j], sum[i][j]);
            }
        }
    }

    let row = row0 + subgroup / WAYS_N * (TILES_M * M);
    let col = col0 + subgroup % WAYS_N * (TILES_N * N);
    for (var i = 0u; i < TILES_M; i++) {
        for (var j = 0u; j < TILES_N; j++) {
            subgroupMatrixStore<row_major>(&c, (row + i * M) * SIZE_N + col + j * N, sum[i][j], SIZE_N);
        }
    }
}
