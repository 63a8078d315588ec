// A tiled product in f16 with sums in f32: both blocks are staged in workgroup memory, edges are the copies' work.
//! run --bind 0,0=random:f16:37x45:1 --bind 0,1=random:f16:45x29:2 --bind 0,2=zeros:f32:37x29 --bind 0,3=values:u32:37,29,45 --dispatch 2,3
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params { m: u32, n: u32, k: u32 }

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> p: Params;

const TILE = 16u;
const K = 16u;
const THREADS = 128u;

var<workgroup> shared_a: array<f16, TILE * K>;
var<workgroup> shared_b: array<f16, K * TILE>;
var<workgroup> shared_c: array<f32, TILE * TILE>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32) {
    let row0 = wg.y * TILE;
    let col0 = wg.x * TILE;
    var acc: array<subgroup_matrix_result<f32, 8, 8>, 4>;
    for (var k0 = 0u; k0 < p.k; k0 += K) {
        for (var i = tid; i < TILE * K; i += THREADS) {
            let row = row0 + i / K;
            let k = k0 + i % K;
            shared_a[i] = select(0.0h, a[min(row * p.k + k, p.m * p.k - 1u)], row < p.m && k < p.k);
        }
        for (var i = tid; i < K * TILE; i += THREADS) {
            let k = k0 + i / TILE;
            let col = col0 + i % TILE;
            shared_b[i] = select(0.0h, b[min(k * p.n + col, p.k * p.n - 1u)], k < p.k && col < p.n);
        }
        workgroupBarrier();
        for (var t = sg; t < 4u; t += sgs) {
            for (var k = 0u; k < K; k += 8u) {
                let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&shared_a, t / 2u * 8u * K + k, false, K);
                let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&shared_b, k * TILE + t % 2u * 8u, false, TILE);
                acc[t] = subgroupMatrixMultiplyAccumulate(left, right, acc[t]);
            }
        }
        workgroupBarrier();
    }
    for (var t = sg; t < 4u; t += sgs) {
        subgroupMatrixStore(&shared_c, t / 2u * 8u * TILE + t % 2u * 8u, acc[t], false, TILE);
    }
    workgroupBarrier();
    for (var i = tid; i < TILE * TILE; i += THREADS) {
        let row = row0 + i / TILE;
        let col = col0 + i % TILE;
        if (row < p.m && col < p.n) {
            c[row * p.n + col] = shared_c[i];
        }
    }
}
