// Planted: missing barrier.
//! run --dispatch 3,2 --bind 0,0=random:f32:29x53:1 --bind 0,1=random:f32:53x45:2 --bind 0,2=zeros:f32:29x45 --bind 0,3=values:u32:29,45,53
// 16x16 blocks, k in steps of 8, one 8x8 tile a subgroup at a time.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> dims: Dims;

const WG = 128u;
const BLOCK = 16u;
const STEP = 8u;
const TILES = 4u;

var<workgroup> sa: array<f32, BLOCK * STEP>;
var<workgroup> sb: array<f32, STEP * BLOCK>;
var<workgroup> sc: array<f32, BLOCK * BLOCK>;

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let m0 = wg.y * BLOCK;
    let n0 = wg.x * BLOCK;
    var acc: array<subgroup_matrix_result<f32, 8, 8>, TILES>;

    for (var k0 = 0u; k0 < dims.k; k0 += STEP) {
        let ar = m0 + tid / STEP;
        let ak = k0 + tid % STEP;
        var av = 0.0;
        if (ar < dims.m && ak < dims.k) {
            av = a[ar * dims.k + ak];
        }
        let bk = k0 + tid / BLOCK;
        let bc = n0 + tid % BLOCK;
        var bv = 0.0;
        if (bk < dims.k && bc < dims.n) {
            bv = b[bk * dims.n + bc];
        }
        sa[tid] = av; // <- S0301
        sb[tid] = bv; // <- S0301
        workgroupBarrier();
        for (var t = sg; t < TILES; t += sgs) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&sa, t / 2u * 8u * STEP, false, STEP); // <- S0301
            let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&sb, t % 2u * 8u, false, BLOCK); // <- S0301
            acc[t] = subgroupMatrixMultiplyAccumulate(l, r, acc[t]);
        }
    }

    for (var t = sg; t < TILES; t += sgs) {
        subgroupMatrixStore(&sc, t / 2u * 8u * BLOCK + t % 2u * 8u, acc[t], false, BLOCK);
    }
    workgroupBarrier();
    for (var i = tid; i < BLOCK * BLOCK; i += WG) {
        let r = m0 + i / BLOCK;
        let q = n0 + i % BLOCK;
        if (r < dims.m && q < dims.n) {
            c[r * dims.n + q] = sc[i];
        }
    }
}
