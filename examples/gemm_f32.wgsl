// C = A * B in f32, for any M, N and K, with 8x8x8 subgroup matrices.
//
//   a  [m, k]   b  [k, n]   c  [m, n]     all row-major, without gaps
//
// One workgroup makes 32 x 32 elements of C: it copies 32 x 32 of A and of B at a time to workgroup memory, with zeros
// past the edges, so that only the copies know about edges. The 16 tiles of 8 x 8 are dealt out to however many subgroups
// there are: right for every subgroup size that divides 64 components, with no size assumed.
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
const BLOCK = 32u;                       // rows, columns and depth of a workgroup's block
const T = 8u;                            // rows, columns and depth of a tile
const TILES_ACROSS = BLOCK / T;
const TILES = TILES_ACROSS * TILES_ACROSS;
const TILES_HELD = 8u;                   // most tiles that one subgroup holds: 16 over two subgroups of 64

alias Left = subgroup_matrix_left<f32, T, T>;
alias Right = subgroup_matrix_right<f32, T, T>;
alias Result = subgroup_matrix_result<f32, T, T>;

var<workgroup> a_block: array<f32, BLOCK * BLOCK>;
var<workgroup> b_block: array<f32, BLOCK * BLOCK>; // in the end, the block of C

fn load_blocks(row0: u32, col0: u32, k0: u32, lane: u32) {
    for (var i = lane; i < BLOCK * BLOCK; i += INVOCATIONS) {
        let r = i / BLOCK;
        let q = i % BLOCK;
        a_block[i] = 0.0;
        if (row0 + r < sizes.m && k0 + q < sizes.k) {
            a_block[i] = a[(row0 + r) * sizes.k + k0 + q];
        }
        b_block[i] = 0.0;
        if (k0 + r < sizes.k && col0 + q < sizes.n) {
            b_block[i] = b[(k0 + r) * sizes.n + col0 + q];
        }
    }
}

fn store_block(row0: u32, col0: u32, lane: u32) {
    for (var i = lane; i < BLOCK * BLOCK; i += INVOCATIONS) {
        let r = row0 + i / BLOCK;
        let q = col0 + i % BLOCK;
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
    let row0 = group.y * BLOCK;
    let col0 = group.x * BLOCK;
    var sum: array<Result, TILES_HELD>;

    for (var k0 = 0u; k0 < sizes.k; k0 += BLOCK) {
        load_blocks(row0, col0, k0, lane);
        workgroupBarrier();
        for (var i = 0u; i < TILES_HELD; i++) {
            let tile = subgroup + i * subgroups;
            if (tile < TILES) {
                let r = tile / TILES_ACROSS * T;
                let q = tile % TILES_ACROSS * T;
                for (var k = 0u; k < BLOCK; k += T) {
                    let left = subgroupMatrixLoad<Left>(&a_block, r * BLOCK + k, false, BLOCK);
                    let right = subgroupMatrixLoad<Right>(&b_block, k * BLOCK + q, false, BLOCK);
                    sum[i] = subgroupMatrixMultiplyAccumulate(left, right, sum[i]);
                }
            }
        }
        workgroupBarrier();
    }

    for (var i = 0u; i < TILES_HELD; i++) {
        let tile = subgroup + i * subgroups;
        if (tile < TILES) {
            let at = tile / TILES_ACROSS * T * BLOCK + tile % TILES_ACROSS * T;
            subgroupMatrixStore(&b_block, at, sum[i], false, BLOCK);
        }
    }
    workgroupBarrier();
    store_block(row0, col0, lane);
}
