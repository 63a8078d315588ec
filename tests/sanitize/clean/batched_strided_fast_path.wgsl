//! run --dispatch 3,2,2 --bind 0,0=random:f32:2x30x24:1 --bind 0,1=random:f32:2x22x44:2 --bind 0,2=random:f32:2x28x48:3 --bind 0,3=struct:u32=27,u32=37,u32=21,u32=24,u32=44,u32=48,u32=720,u32=968,u32=1344,f32=1.5,f32=0
// C[z] = alpha * A[z] * B[z] + beta * C[z], with leading dimensions and batch strides (padding between rows and matrices
// is neither read nor written). Leading dimensions and strides are multiples of 4. Whole 8x8 tiles go straight between
// storage and matrices; tiles at an edge go through workgroup memory with zeros.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
    lda: u32,
    ldb: u32,
    ldc: u32,
    stride_a: u32,
    stride_b: u32,
    stride_c: u32,
    alpha: f32,
    beta: f32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

const WG = 64u;
const BLOCK = 16u;

alias Left = subgroup_matrix_left<f32, 8, 8>;
alias Right = subgroup_matrix_right<f32, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

var<workgroup> pool: array<f32, 2u * BLOCK * 8u>; // edge tiles of A and B, then the block of C
const B_AT = BLOCK * 8u;

@compute @workgroup_size(WG)
fn gemm(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let m0 = wg.y * BLOCK;
    let n0 = wg.x * BLOCK;
    let a0 = wg.z * params.stride_a;
    let b0 = wg.z * params.stride_b;
    let c0 = wg.z * params.stride_c;
    let inner = m0 + BLOCK <= params.m && n0 + BLOCK <= params.n;
    var acc: array<Result, 4>;

    for (var k0 = 0u; k0 < params.k; k0 += 8u) {
        if (inner && k0 + 8u <= params.k) {
            for (var t = sg; t < 4u; t += sgs) {
                let r = m0 + t / 2u * 8u;
                let q = n0 + t % 2u * 8u;
                let l = subgroupMatrixLoad<Left>(&a, a0 + r * params.lda + k0, false, params.lda);
                let x = subgroupMatrixLoad<Right>(&b, b0 + k0 * params.ldb + q, false, params.ldb);
                acc[t] = subgroupMatrixMultiplyAccumulate(l, x, acc[t]);
            }
        } else {
            workgroupBarrier(); // what was loaded from the pool before
            for (var i = tid; i < BLOCK * 8u; i += WG) {
                let ar = m0 + i / 8u;
                let ak = k0 + i % 8u;
                pool[i] = 0.0;
                if (ar < params.m && ak < params.k) {
                    pool[i] = a[a0 + ar * params.lda + ak];
                }
                let bk = k0 + i / BLOCK;
                let bc = n0 + i % BLOCK;
                pool[B_AT + i] = 0.0;
                if (bk < params.k && bc < params.n) {
                    pool[B_AT + i] = b[b0 + bk * params.ldb + bc];
                }
            }
            workgroupBarrier();
            for (var t = sg; t < 4u; t += sgs) {
                let l = subgroupMatrixLoad<Left>(&pool, t / 2u * 64u, false, 8u);
                let x = subgroupMatrixLoad<Right>(&pool, B_AT + t % 2u * 8u, false, BLOCK);
                acc[t] = subgroupMatrixMultiplyAccumulate(l, x, acc[t]);
            }
        }
    }
    if (inner && params.beta == 0.0) {
        for (var t = sg; t < 4u; t += sgs) {
            let at = c0 + (m0 + t / 2u * 8u) * params.ldc + n0 + t % 2u * 8u;
            subgroupMatrixStore(&c, at, subgroupMatrixScalarMultiply(acc[t], params.alpha), false, params.ldc);
        }
        return;
    }
    workgroupBarrier();
    for (var t = sg; t < 4u; t += sgs) {
        subgroupMatrixStore(&pool, t / 2u * 8u * BLOCK + t % 2u * 8u, acc[t], false, BLOCK);
    }
    workgroupBarrier();
    for (var i = tid; i < BLOCK * BLOCK; i += WG) {
        let r = m0 + i / BLOCK;
        let q = n0 + i % BLOCK;
        if (r < params.m && q < params.n) {
            let at = c0 + r * params.ldc + q;
            var v = params.alpha * pool[i];
            if (params.beta != 0.0) {
                v += params.beta * c[at];
            }
            c[at] = v;
        }
    }
}
