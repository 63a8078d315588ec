//! configuration M N K f16*f16+f32->f32
//! check --bind 0,0=random:f16:45x29:1 --bind 0,1=random:f16:29x37:2 --bind 0,2=zeros:f32:45x37
//! check --bind 0,3=values:u32:45,37,29 --dispatch 3,3
// C = A * B with f16 inputs and f32 sums, for any M, N and K, with subgroup matrices of 16x16x16 or
// any other shape.
//
//   a  [m, k] f16   b  [k, n] f16   c  [m, n] f32     all row-major, without gaps
//
// As gemm_f32.wgsl, with a block of 64 x 64 of C and a depth of 32: 16 tiles of 16 x 16, dealt out to however many
// subgroups there are. B is copied transposed and loaded column-major, as kernels do whose weights lie that way.

diagnostic(off, chromium.subgroup_matrix_uniformity); // tiles are dealt out by subgroup: uniform there, not beyond
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const INVOCATIONS = 128u;
const M = 16u;                           // a tile: A is M x K, B is K x N, C is M x N
const N = 16u;
const K = 16u;
const TILES_ACROSS = select(4u, 2u, M * N > 256); // fewer of large ones: workgroup memory is scarce
const TILES = TILES_ACROSS * TILES_ACROSS; // of a workgroup; a single subgroup of 128 holds them all
const ROWS = M * TILES_ACROSS;           // of a workgroup's block of C
const COLS = N * TILES_ACROSS;
const DEPTH = K * 2;                     // of the blocks of A and B

alias Left = subgroup_matrix_left<f16, K, M>;
alias Right = subgroup_matrix_right<f16, N, K>;
alias Result = subgroup_matrix_result<f32, N, M>;

var<workgroup> a_block: array<f16, ROWS * DEPTH>; // [ROWS, DEPTH]
var<workgroup> b_block: array<f16, COLS * DEPTH>; // transposed: [COLS, DEPTH]
var<workgroup> c_block: array<f32, ROWS * COLS>;

fn load_blocks(row0: u32, col0: u32, k0: u32, lane: u32) {
    for (var i = lane; i < ROWS * DEPTH; i += INVOCATIONS) {
        let r = i / DEPTH;
        let q = i % DEPTH;
        a_block[i] = 0.0h;
        if (row0 + r < sizes.m && k0 + q < sizes.k) {
            a_block[i] = a[(row0 + r) * sizes.k + k0 + q];
        }
    }
    for (var i = lane; i < COLS * DEPTH; i += INVOCATIONS) {
        let r = i / COLS;
        let q = i % COLS;
        var value = 0.0h;
        if (k0 + r < sizes.k && col0 + q < sizes.n) {
            value = b[(k0 + r) * sizes.n + col0 + q];
        }
        b_block[q * DEPTH + r] = value;
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
            if (tile >= TILES) {
                break;
            }
            let r = tile / TILES_ACROSS * M;
            let q = tile % TILES_ACROSS * N;
            for (var k = 0u; k < DEPTH; k += K) {
                let left = subgroupMatrixLoad<Left, row_major>(&a_block, r * DEPTH + k, DEPTH);
                let right = subgroupMatrixLoad<Right, col_major>(&b_block, q * DEPTH + k, DEPTH);
                sum[i] = subgroupMatrixMultiplyAccumulate(left, right, sum[i]);
            }
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < TILES; i++) {
        let tile = subgroup + i * subgroups;
        if (tile >= TILES) {
            break;
        }
        let at = tile / TILES_ACROSS * M * COLS + tile % TILES_ACROSS * N;
        subgroupMatrixStore<row_major>(&c_block, at, sum[i], COLS);
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
