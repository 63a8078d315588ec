// Planted: swapped M and N.
//! run --dispatch 3,2 --bind 0,0=random:f32:27x21:1 --bind 0,1=random:f32:21x45:2 --bind 0,2=random:f32:45:3 --bind 0,3=zeros:f32:27x45 --bind 0,4=values:u32:27,45,21
//! also S0801
// Linear layer: c[m, n] = relu(a[m, k] * b[k, n] + bias[n]), 16x16 block a workgroup, 8x8x8 tiles.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Args {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
@group(0) @binding(4) var<uniform> args: Args;

const NT = 64u;
const BM = 16u;
const BN = 16u;
const BK = 16u;

var<workgroup> As: array<f32, BM * BK>;
var<workgroup> Bs: array<f32, BK * BN>;
var<workgroup> Cs: array<f32, BM * BN>;

fn load_safe_a(row: u32, col: u32) -> f32 {
    if (row < args.m && col < args.k) {
        return a[row * args.k + col];
    }
    return 0.0;
}

fn load_safe_b(row: u32, col: u32) -> f32 {
    if (row < args.k && col < args.n) {
        return b[row * args.n + col];
    }
    return 0.0;
}

@compute @workgroup_size(NT)
fn linear_relu(@builtin(workgroup_id) tgp: vec3<u32>,
               @builtin(local_invocation_index) tid: u32,
               @builtin(subgroup_id) simd: u32,
               @builtin(num_subgroups) simds: u32) {
    let m0 = tgp.y * BM;
    let n0 = tgp.x * BN;
    var acc: array<subgroup_matrix_result<f32, 8, 8>, 4>;
    for (var k0 = 0u; k0 < args.k; k0 += BK) {
        for (var i = tid; i < BM * BK; i += NT) {
            As[i] = load_safe_a(m0 + i / BK, k0 + i % BK);
            Bs[i] = load_safe_b(k0 + i / BN, n0 + i % BN);
        }
        workgroupBarrier();
        for (var t = simd; t < 4u; t += simds) {
            for (var kk = 0u; kk < BK; kk += 8u) {
                let l = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>, row_major>(&As, t / 2u * 8u * BK + kk, BK);
                let r = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>, row_major>(&Bs, kk * BN + t % 2u * 8u, BN);
                acc[t] = subgroupMatrixMultiplyAccumulate(l, r, acc[t]);
            }
        }
        workgroupBarrier();
    }
    for (var t = simd; t < 4u; t += simds) {
        subgroupMatrixStore<row_major>(&Cs, t / 2u * 8u * BN + t % 2u * 8u, acc[t], BN);
    }
    workgroupBarrier();
    for (var i = tid; i < BM * BN; i += NT) {
        let row = m0 + i / BN;
        let col = n0 + i % BN;
        if (row < args.m && col < args.n) {
            c[row * args.m + col] = max(Cs[i] + bias[col], 0.0); // <- S0303
        }
    }
}
