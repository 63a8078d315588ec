//! run --dispatch 3,2 --bind 0,0=random:i8:27x64:1 --bind 0,1=random:i8:64x36:2 --bind 0,2=zeros:i32:27x36 --bind 0,3=values:u32:27,36,64
// C[M, N] (i32) = A[M, K] * B[K, N] (i8, rows of whole words); K a multiple of 32, N of 4.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Uniforms {
    M: u32,
    N: u32,
    K: u32,
}

@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

const TM = 16u;
const TN = 16u;
const TK = 32u;

var<workgroup> tile_a: array<i32, TM * TK / 4u>;
var<workgroup> tile_b: array<i32, TK * TN / 4u>;
var<workgroup> tile_c: array<i32, TM * TN>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) wid: vec3<u32>,
        @builtin(local_invocation_index) lid: u32,
        @builtin(subgroup_id) sg: u32) {
    let m0 = wid.y * TM;
    let n0 = wid.x * TN;
    var acc: subgroup_matrix_result<i32, TN, TM>;
    for (var k0 = 0u; k0 < uniforms.K; k0 += TK) {
        let ar = m0 + lid / 8u;
        tile_a[lid] = 0;
        if (ar < uniforms.M) {
            tile_a[lid] = a[(ar * uniforms.K + k0) / 4u + lid % 8u];
        }
        let bc = n0 + lid % 4u * 4u;
        tile_b[lid] = 0;
        if (bc < uniforms.N) {
            tile_b[lid] = b[((k0 + lid / 4u) * uniforms.N + bc) / 4u];
        }
        workgroupBarrier();
        if (sg == 0u) {
            let ma = subgroupMatrixLoad<subgroup_matrix_left<i8, TK, TM>>(&tile_a, 0u, false, TK);
            let mb = subgroupMatrixLoad<subgroup_matrix_right<i8, TN, TK>>(&tile_b, 0u, false, TN);
            acc = subgroupMatrixMultiplyAccumulate(ma, mb, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore(&tile_c, 0u, acc, false, TN);
    }
    workgroupBarrier();
    for (var i = lid; i < TM * TN; i += 128u) {
        let r = m0 + i / TN;
        let q = n0 + i % TN;
        if (r < uniforms.M && q < uniforms.N) {
            c[r * uniforms.N + q] = tile_c[i];
        }
    }
}
