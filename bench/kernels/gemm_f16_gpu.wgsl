// C = A * B on a GPU with matrices of 16x16x16 and subgroups of 32: f16 inputs, sums in f32. bench/gemm.c measures it, and
// makes from it the kernel with sums in f16 (another Sum, more TILES_M).
//
//   a  [m, k]   b  [k, n]   c  [m, n]     all row-major, without gaps; one workgroup a block: dispatch ACROSS * DOWN, 1, 1
//
// Assumes: SIZE_M, SIZE_N and SIZE_K are multiples of BLOCK_M, BLOCK_N and DEPTH, 16-byte aligned buffers. Shorter buffers
// are left alone.
//
// A workgroup copies a strip of A and of B, DEPTH deep, to workgroup memory by 16 bytes at a time: memory holds vec4<u32>,
// matrices of f16 are loaded from it. Rows are padded so that the 8 rows that are read together lie in different banks. What
// comes next is under way twice: the next strip in registers (`a_next`), the next half of this one as matrices. Each of
// the two barriers of a step has products on both sides, which the matrix units work on meanwhile.
//
// Blocks go down BAND rows before they go to the next column, so that blocks that run together share strips of A and B
// in the cache; they begin at different strips (STAGGER), so that not all wait for the same memory.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

alias Sum = f32;

override SIZE_M = 256u;
override SIZE_N = 512u;
override SIZE_K = 128u;
override WAYS_M = 2u;                    // subgroups of a workgroup, down and across its block
override WAYS_N = 4u;
override BAND = 8u;
override STAGGER = 2u;
override BETWEEN = 3u;                   // columns of products between the barriers

const SUBGROUP = 32u;
const M = 16u;                           // a tile: A is M x K, B is K x N, C is M x N
const N = 16u;
const K = 16u;
const TILES_M = 4u;                      // of a subgroup
const TILES_N = 4u;
const DEPTH = 2u * K;                    // two halves: see left0, left1
const LANES = 8u;                        // components of a vec4<u32>
const PAD = 1u;                          // vec4<u32> behind each row
const COPIES = 8u;                       // at most, of an invocation

alias Left = subgroup_matrix_left<f16, K, M>;
alias Right = subgroup_matrix_right<f16, N, K>;
alias Result = subgroup_matrix_result<Sum, N, M>;

override INVOCATIONS = SUBGROUP * WAYS_M * WAYS_N;
override BLOCK_M = WAYS_M * TILES_M * M;
override BLOCK_N = WAYS_N * TILES_N * N;
override ACROSS = SIZE_N / BLOCK_N;      // blocks of C
override DOWN = SIZE_M / BLOCK_M;
override ROWS = select(1u, min(BAND, DOWN), DOWN % min(BAND, DOWN) == 0u); // of a band
override STEPS = SIZE_K / DEPTH;
// In vec4<u32>: rows of A and B, rows of a strip, and rows in workgroup memory.
override A_ROW = SIZE_K / LANES;
override B_ROW = SIZE_N / LANES;
const A_STRIP = DEPTH / LANES;
override B_STRIP = BLOCK_N / LANES;
const A_PITCH = A_STRIP + PAD;
override B_PITCH = B_STRIP + PAD;
override A_RISE = INVOCATIONS / A_STRIP; // rows that all invocations copy together
override B_RISE = INVOCATIONS / B_STRIP;
override A_COPIES = BLOCK_M / A_RISE;
override B_COPIES = DEPTH / B_RISE;

@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> c: array<Sum>;

var<workgroup> a_block: array<vec4<u32>, BLOCK_M * A_PITCH>;
var<workgroup> b_block: array<vec4<u32>, DEPTH * B_PITCH>;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32) {
    let block = group.x;
    if (block >= ACROSS * DOWN) { return; }
    if (arrayLength(&a) < SIZE_M * A_ROW) { return; }
    if (arrayLength(&b) < SIZE_K * B_ROW) { return; }
    if (arrayLength(&c) < SIZE_M * SIZE_N) { return; }
    let row0 = (block / (ROWS * ACROSS) * ROWS + block % ROWS) * BLOCK_M;
    let col0 = block % (ROWS * ACROSS) / ROWS * BLOCK_N;

    // What this invocation copies, and where to.
    let a_from = (row0 + lane / A_STRIP) * A_ROW + lane % A_STRIP;
    let b_from = lane / B_STRIP * B_ROW + col0 / LANES + lane % B_STRIP;
    let a_to = lane / A_STRIP * A_PITCH + lane % A_STRIP;
    let b_to = lane / B_STRIP * B_PITCH + lane % B_STRIP;
    // Where this subgroup's matrices begin.
    let a_at = subgroup / WAYS_N * (TILES_M * M) * A_PITCH;
    let b_at = subgroup % WAYS_N * (TILES_N * N / LANES);

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
        a_block[a_to + i * (A_RISE * A_PITCH)] = a[a_from + first * A_STRIP + i * (A_RISE * A_ROW)];
    }
    for (var i = 0u; i < B_COPIES; i++) {
        b_block[b_to + i * (B_RISE * B_PITCH)] = b[b_from + (first * DEPTH + i * B_RISE) * B_ROW];
    }
    let second = (first + 1u) % STEPS;
    for (var i = 0u; i < A_COPIES; i++) { a_next[i] = a[a_from + second * A_STRIP + i * (A_RISE * A_ROW)]; }
    for (var i = 0u; i < B_COPIES; i++) { b_next[i] = b[b_from + (second * DEPTH + i * B_RISE) * B_ROW]; }
    workgroupBarrier();
    for (var i = 0u; i < TILES_M; i++) {
        left0[i] = subgroupMatrixLoad<Left, row_major>(&a_block, a_at + i * (M * A_PITCH), A_PITCH);
    }
    for (var j = 0u; j < TILES_N; j++) {
        right0[j] = subgroupMatrixLoad<Right, row_major>(&b_block, b_at + j * (N / LANES), B_PITCH);
    }

    for (var step = 0u; step < STEPS; step++) {
        for (var i = 0u; i < TILES_M; i++) {
            left1[i] = subgroupMatrixLoad<Left, row_major>(&a_block, a_at + i * (M * A_PITCH) + K / LANES, A_PITCH);
        }
        for (var j = 0u; j < TILES_N; j++) {
            right1[j] = subgroupMatrixLoad<Right, row_major>(&b_block, b_at + j * (N / LANES) + K * B_PITCH, B_PITCH);
        }
        for (var j = 0u; j < TILES_N; j++) {
            for (var i = 0u; i < TILES_M; i++) {
                sum[i][j] = subgroupMatrixMultiplyAccumulate(left0[i], right0[j], sum[i][j]);
            }
        }
        workgroupBarrier();
        // The next strip, and the one after it on its way; past the end these are the first ones again, for nobody.
        for (var i = 0u; i < A_COPIES; i++) { a_block[a_to + i * (A_RISE * A_PITCH)] = a_next[i]; }
        for (var i = 0u; i < B_COPIES; i++) { b_block[b_to + i * (B_RISE * B_PITCH)] = b_next[i]; }
        let ahead = (first + step + 2u) % STEPS;
        for (var i = 0u; i < A_COPIES; i++) { a_next[i] = a[a_from + ahead * A_STRIP + i * (A_RISE * A_ROW)]; }
        for (var i = 0u; i < B_COPIES; i++) { b_next[i] = b[b_from + (ahead * DEPTH + i * B_RISE) * B_ROW]; }
        for (var j = 0u; j < BETWEEN; j++) {
            for (var i = 0u; i < TILES_M; i++) {
                sum[i][j] = subgroupMatrixMultiplyAccumulate(left1[i], right1[j], sum[i][j]);
            }
        }
        workgroupBarrier();
        for (var i = 0u; i < TILES_M; i++) {
            left0[i] = subgroupMatrixLoad<Left, row_major>(&a_block, a_at + i * (M * A_PITCH), A_PITCH);
        }
        for (var j = 0u; j < TILES_N; j++) {
            right0[j] = subgroupMatrixLoad<Right, row_major>(&b_block, b_at + j * (N / LANES), B_PITCH);
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
