// Planted: edge load.
//! run --dispatch 5,6 --bind 0,0=random:f32:45x29:1 --bind 0,1=random:f32:29x37:2 --bind 0,2=zeros:f32:45x37 --bind 0,3=values:u32:45,37,29
//! also S0202
// mul_mat_f32: dst = src0 * src1, one 8x8 tile of dst a workgroup, K walked by subgroups.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const WG = 64u;
const TILE = 8u;

var<workgroup> b_tile: array<f32, TILE * TILE>;
var<workgroup> d_tile: array<f32, TILE * TILE>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let row0 = wg.y * TILE;
    let col0 = wg.x * TILE;
    var acc: subgroup_matrix_result<f32, 8, 8>;

    for (var k0 = 0u; k0 < params.k; k0 += TILE) {
        // B: clamp the coordinates, so that no load leaves the buffer.
        let br = min(k0 + tid / TILE, params.k - 1u);
        let bc = min(col0 + tid % TILE, params.n - 1u);
        b_tile[tid] = b[br * params.n + bc];
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&a, row0 * params.k + k0, false, params.k); // <- S0104
            let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&b_tile, 0u, false, TILE);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }

    if (sg == 0u) {
        subgroupMatrixStore(&d_tile, 0u, acc, false, TILE);
    }
    workgroupBarrier();
    let r = row0 + tid / TILE;
    let c = col0 + tid % TILE;
    if (r < params.m && c < params.n) {
        dst[r * params.n + c] = d_tile[tid];
    }
}
