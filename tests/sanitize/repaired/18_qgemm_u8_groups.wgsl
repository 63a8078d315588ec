//! run --dispatch 5,2 --bind 0,0=random:u8:22x48:1 --bind 0,1=random:u8:70x48:2 --bind 0,2=zeros:f32:22x70 --bind 0,3=struct:u32=22,u32=70,u32=48,f32=0.01 --expect 0,2=tests/sanitize/planted/18_qgemm_u8_groups.npy
// Quantised linear layer: out[m, n] = scale * sum over k of a[m, k] * w[n, k], u8 times u8 in u32 sums.
// Grid: ceil(N / 16) x ceil(M / 16). K a multiple of 16.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Uniforms {
    M: u32,
    N: u32,
    K: u32,
    scale: f32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> w: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

const WORDS = 4u; // 16 components
var<workgroup> a_tile: array<u32, 16u * WORDS>;
var<workgroup> w_tile: array<u32, 16u * WORDS>;
var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wid: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let row0 = wid.y * 16u;
    let col0 = wid.x * 16u;
    let kw = uniforms.K / 4u;
    var acc: subgroup_matrix_result<u32, 16, 16>;
    for (var k = 0u; k < kw; k += WORDS) {
        let r = tid / WORDS;
        let q = k + tid % WORDS;
        a_tile[tid] = 0u;
        w_tile[tid] = 0u;
        if (row0 + r < uniforms.M) {
            a_tile[tid] = a[(row0 + r) * kw + q];
        }
        if (col0 + r < uniforms.N) {
            w_tile[tid] = w[(col0 + r) * kw + q];
        }
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<u8, 16, 16>, row_major>(&a_tile, 0u, WORDS);
            let x = subgroupMatrixLoad<subgroup_matrix_right<u8, 16, 16>, col_major>(&w_tile, 0u, WORDS);
            acc = subgroupMatrixMultiplyAccumulate(l, x, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore<row_major>(&sums, 0u, acc, 16u);
    }
    workgroupBarrier();
    for (var i = tid; i < 256u; i += 64u) {
        let r = row0 + i / 16u;
        let c = col0 + i % 16u;
        if (r < uniforms.M && c < uniforms.N) {
            out[r * uniforms.N + c] = f32(sums[i]) * uniforms.scale;
        }
    }
}
