// C = A * B with i8 inputs and i32 sums, for any M, N and K, with 16x16x32 subgroup matrices. Exact.
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
const BLOCK = 32u;                       // rows and columns of a workgroup's block of C
const DEPTH = 64u;                       // of the blocks of A and B
const T = 16u;                           // rows and columns of a tile
const TK = 32u;                          // depth of a tile
const TILES_ACROSS = BLOCK / T;
const TILES = TILES_ACROSS * TILES_ACROSS;

alias Left = subgroup_matrix_left<i8, TK, T>;
alias Right = subgroup_matrix_right<i8, T, TK>;
alias Result = subgroup_matrix_result<i32, T, T>;

var<workgroup> a_block: array<i32, BLOCK * DEPTH / 4>; // [BLOCK, DEPTH]
var<workgroup> b_block: array<i32, BLOCK * DEPTH / 4>; // [DEPTH, BLOCK]
var<workgroup> c_block: array<i32, BLOCK * BLOCK>;

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
    for (var i = lane; i < BLOCK * DEPTH / 4; i += INVOCATIONS) {
        let r = row0 + i * 4 / DEPTH;
        let k = k0 + i * 4 % DEPTH;
        a_block[i] = pack(vec4(a_at(r, k), a_at(r, k + 1), a_at(r, k + 2), a_at(r, k + 3)));
        let kb = k0 + i * 4 / BLOCK;
        let q = col0 + i * 4 % BLOCK;
        b_block[i] = pack(vec4(b_at(kb, q), b_at(kb, q + 1), b_at(kb, q + 2), b_at(kb, q + 3)));
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) subgroups: u32) {
    let row0 = group.y * BLOCK;
    let col0 = group.x * BLOCK;
    var sum: array<Result, TILES>; // a single subgroup of 128 holds them all

    for (var k0 = 0u; k0 < sizes.k; k0 += DEPTH) {
        load_blocks(row0, col0, k0, lane);
        workgroupBarrier();
        for (var i = 0u; i < TILES; i++) {
            let tile = subgroup + i * subgroups;
            if (tile < TILES) {
                let r = tile / TILES_ACROSS * T;
                let q = tile % TILES_ACROSS * T;
                for (var k = 0u; k < DEPTH; k += TK) {
                    let left = subgroupMatrixLoad<Left, row_major>(&a_block, (r * DEPTH + k) / 4, DEPTH / 4);
                    let right = subgroupMatrixLoad<Right, row_major>(&b_block, (k * BLOCK + q) / 4, BLOCK / 4);
                    sum[i] = subgroupMatrixMultiplyAccumulate(left, right, sum[i]);
                }
            }
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < TILES; i++) {
        let tile = subgroup + i * subgroups;
        if (tile < TILES) {
            let at = tile / TILES_ACROSS * T * BLOCK + tile % TILES_ACROSS * T;
            subgroupMatrixStore<row_major>(&c_block, at, sum[i], BLOCK);
        }
    }
    workgroupBarrier();
    for (var i = lane; i < BLOCK * BLOCK; i += INVOCATIONS) {
        let r = row0 + i / BLOCK;
        let q = col0 + i % BLOCK;
        if (r < sizes.m && q < sizes.n) {
            c[r * sizes.n + q] = c_block[i];
        }
    }
}
