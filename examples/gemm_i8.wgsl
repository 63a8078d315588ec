//! configuration M N K s8*s8+s32->s32
//! check --bind 0,0=random:i8:1305:1 --bind 0,1=random:i8:1073:2 --bind 0,2=zeros:i32:45x37
//! check --bind 0,3=values:u32:45,37,29 --dispatch 3,3
// C = A * B with i8 inputs and i32 sums, for any M, N and K, with subgroup matrices of 16x16x32 or any
// other shape. Exact.
//
//   a  [m, k] i8   b  [k, n] i8   c  [m, n] i32     all row-major, without gaps
//
// WGSL has no 8-bit arrays: a and b are words of four components, low byte first, and a row may start inside a word. The
// copies to workgroup memory sort that out. With the majorness as a template argument, subgroupMatrixLoad counts in elements
// of the array, here words; with it as an argument, in components of the matrix.

diagnostic(off, chromium.subgroup_matrix_uniformity); // tiles are dealt out by subgroup: uniform there, not beyond
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
const M = 16u;                           // a tile: A is M x K, B is K x N, C is M x N
const N = 16u;
const K = 32u;
const TILES_ACROSS = 2u;
const TILES = TILES_ACROSS * TILES_ACROSS; // of a workgroup; a single subgroup of 128 holds them all
const ROWS = M * TILES_ACROSS;           // of a workgroup's block of C
const COLS = N * TILES_ACROSS;
const DEPTH = K * 2;                     // of the blocks of A and B

alias Left = subgroup_matrix_left<i8, K, M>;
alias Right = subgroup_matrix_right<i8, N, K>;
alias Result = subgroup_matrix_result<i32, N, M>;

var<workgroup> a_block: array<i32, ROWS * DEPTH / 4>; // [ROWS, DEPTH]
var<workgroup> b_block: array<i32, COLS * DEPTH / 4>; // [DEPTH, COLS]
var<workgroup> c_block: array<i32, ROWS * COLS>;

fn a_at(row: u32, k: u32) -> i32 {
    if (row >= sizes.m || k >= sizes.k) {
        return 0;
    }
    let at = row * sizes.k + k;
    return extractBits(a[at / 4], at % 4 * 8, 8);
}

fn b_at(k: u32, col: u32) -> i32 {
    if (k >= sizes.k || col >= sizes.n) {
        return 0;
    }
    let at = k * sizes.n + col;
    return extractBits(b[at / 4], at % 4 * 8, 8);
}

fn pack(v: vec4<i32>) -> i32 {
    return bitcast<i32>(pack4xI8(v));
}

fn load_blocks(row0: u32, col0: u32, k0: u32, lane: u32) {
    for (var i = lane; i < ROWS * DEPTH / 4; i += INVOCATIONS) {
        let r = row0 + i * 4 / DEPTH;
        let k = k0 + i * 4 % DEPTH;
        a_block[i] = pack(vec4(a_at(r, k), a_at(r, k + 1), a_at(r, k + 2), a_at(r, k + 3)));
    }
    for (var i = lane; i < COLS * DEPTH / 4; i += INVOCATIONS) {
        let kb = k0 + i * 4 / COLS;
        let q = col0 + i * 4 % COLS;
        b_block[i] = pack(vec4(b_at(kb, q), b_at(kb, q + 1), b_at(kb, q + 2), b_at(kb, q + 3)));
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) subgroups: u32) {
    let row0 = group.y * ROWS;
    let col0 = group.x * COLS;
    var sum: array<Result, TILES>; // a single subgroup of 128 holds them all

    for (var k0 = 0u; k0 < sizes.k; k0 += DEPTH) {
        load_blocks(row0, col0, k0, lane);
        workgroupBarrier();
        for (var i = 0u; i < TILES; i++) {
            let tile = subgroup + i * subgroups;
            if (tile < TILES) {
                let r = tile / TILES_ACROSS * M;
                let q = tile % TILES_ACROSS * N;
                for (var k = 0u; k < DEPTH; k += K) {
                    let left = subgroupMatrixLoad<Left, row_major>(&a_block, (r * DEPTH + k) / 4, DEPTH / 4);
                    let right = subgroupMatrixLoad<Right, row_major>(&b_block, (k * COLS + q) / 4, COLS / 4);
                    sum[i] = subgroupMatrixMultiplyAccumulate(left, right, sum[i]);
                }
            }
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < TILES; i++) {
        let tile = subgroup + i * subgroups;
        if (tile < TILES) {
            let at = tile / TILES_ACROSS * M * COLS + tile % TILES_ACROSS * N;
            subgroupMatrixStore<row_major>(&c_block, at, sum[i], COLS);
        }
    }
    workgroupBarrier();
    for (var i = lane; i < ROWS * COLS; i += INVOCATIONS) {
        let r = row0 + i / COLS;
        let q = col0 + i % COLS;
        if (r < sizes.m && q < sizes.n) {
            c[r * sizes.n + q] = c_block[i];
        }
    }
}
