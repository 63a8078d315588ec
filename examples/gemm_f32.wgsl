//! configuration M N K f32*f32+f32->f32
//! check --bind 0,0=random:f32:45x29:1 --bind 0,1=random:f32:29x37:2 --bind 0,2=zeros:f32:45x37
//! check --bind 0,3=values:u32:45,37,29 --dispatch 3,3
// C = A * B in f32, for any M, N and K, with subgroup matrices of 8x8x8; M, N and K below make it any other shape.
//
//   a  [m, k]   b  [k, n]   c  [m, n]     all row-major, without gaps
//
// One workgroup makes 4 x 4 tiles of C, 32 x 32 elements: it copies as much of A and of B at a time to workgroup memory, with
// zeros past the edges, so that only the copies know about edges. The 16 tiles are dealt out to however many subgroups there
// are: right for every subgroup size that divides a tile's components, with no size assumed.
//
//   tessera run examples/gemm_f32.wgsl --bind 0,0=random:f32:45x29:1 --bind 0,1=random:f32:29x37:2
//       --bind 0,2=zeros:f32:45x37 --bind 0,3=values:u32:45,37,29 --dispatch 2,2,1 --out 0,2=c.npy:f32:45x37

diagnostic(off, chromium.subgroup_matrix_uniformity); // tiles are dealt out by subgroup: uniform there, not beyond
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const INVOCATIONS = 128u;
const M = 8u;                            // a tile: A is M x K, B is K x N, C is M x N
const N = 8u;
const K = 8u;
const TILES_ACROSS = select(4u, 2u, M * N > 256); // fewer of large ones: workgroup memory is scarce
const TILES = TILES_ACROSS * TILES_ACROSS; // of a workgroup; a single subgroup of 128 holds them all
const ROWS = M * TILES_ACROSS;           // of a workgroup's block of C
const COLS = N * TILES_ACROSS;
const DEPTH = K * 4;                     // of the blocks of A and B

alias Left = subgroup_matrix_left<f32, K, M>;
alias Right = subgroup_matrix_right<f32, N, K>;
alias Result = subgroup_matrix_result<f32, N, M>;

var<workgroup> a_block: array<f32, ROWS * DEPTH>;
var<workgroup> b_block: array<f32, max(DEPTH, ROWS) * COLS>; // in the end, the block of C

fn load_blocks(row0: u32, col0: u32, k0: u32, lane: u32) {
    for (var i = lane; i < ROWS * DEPTH; i += INVOCATIONS) {
        let r = i / DEPTH;
        let q = i % DEPTH;
        a_block[i] = 0.0;
        if (row0 + r < sizes.m && k0 + q < sizes.k) {
            a_block[i] = a[(row0 + r) * sizes.k + k0 + q];
        }
    }
    for (var i = lane; i < DEPTH * COLS; i += INVOCATIONS) {
        let r = i / COLS;
        let q = i % COLS;
        b_block[i] = 0.0;
        if (k0 + r < sizes.k && col0 + q < sizes.n) {
            b_block[i] = b[(k0 + r) * sizes.n + col0 + q];
        }
    }
}

fn store_block(row0: u32, col0: u32, lane: u32) {
    for (var i = lane; i < ROWS * COLS; i += INVOCATIONS) {
        let r = row0 + i / COLS;
        let q = col0 + i % COLS;
        if (r < sizes.m && q < sizes.n) {
            c[r * sizes.n + q] = b_block[i];
        }
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) lane: u32,
        @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) subgroups: u32) {
    let row0 = group.y * ROWS;
    let col0 = group.x * COLS;
    var sum: array<Result, TILES>;

    for (var k0 = 0u; k0 < sizes.k; k0 += DEPTH) {
        load_blocks(row0, col0, k0, lane);
        workgroupBarrier();
        for (var i = 0u; i < TILES; i++) {
            let tile = subgroup + i * subgroups;
            if (tile < TILES) {
                let r = tile / TILES_ACROSS * M;
                let q = tile % TILES_ACROSS * N;
                for (var k = 0u; k < DEPTH; k += K) {
                    let left = subgroupMatrixLoad<Left>(&a_block, r * DEPTH + k, false, DEPTH);
                    let right = subgroupMatrixLoad<Right>(&b_block, k * COLS + q, false, COLS);
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
            subgroupMatrixStore(&b_block, at, sum[i], false, COLS);
        }
    }
    workgroupBarrier();
    store_block(row0, col0, lane);
}
