//! run --dispatch 3,3 --bind 0,0=random:f16:24x32:1 --bind 0,1=random:f16:32x48:2 --bind 0,2=zeros:f32:24x48 --bind 0,3=values:u32:24,48,32
// C = A * B, tiles of 8x16x16, straight from and to storage. M a multiple of 8, N and K of 16.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable subgroup_matrix;

override TM: u32 = 8;
override TN: u32 = 16;
override TK: u32 = 16;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

override C_COL_MAJOR: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(subgroup_id) sg: u32) {
    if (sg == 0u) {
        let m0 = wg.y * TM;
        let n0 = wg.x * TN;
        var acc: subgroup_matrix_result<f32, TN, TM>;
        for (var k0 = 0u; k0 < sizes.k; k0 += TK) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f16, TK, TM>>(&a, m0 * sizes.k + k0, false, sizes.k);
            let r = subgroupMatrixLoad<subgroup_matrix_right<f16, TN, TK>>(&b, k0 * sizes.n + n0, false, sizes.n);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        subgroupMatrixStore(&c, m0 * sizes.n + n0, acc, C_COL_MAJOR, sizes.n);
    }
}
