//! subgroups 4 8 16 32
//! a       f32 32x96 random 1
//! b       f32 96x32 random 2
//! d       f32 32x32 marker
//! expect  d == a * b
//! expect  a unchanged
//! expect  b unchanged
// Blocks of a and b are copied to workgroup memory and multiplied there, by a grid of matrices: what kernels for GPUs look like.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;

const INVOCATIONS = 128u;
const N = 32u;
const K = 96u;
const BK = 24u;

var<workgroup> a_block: array<f32, N * BK>;
var<workgroup> b_block: array<f32, BK * N>;

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
    var sum: array<subgroup_matrix_result<f32, 8, 16>, 8>;
    for (var k0 = 0u; k0 < K; k0 += BK) {
        for (var i = lane; i < N * BK; i += INVOCATIONS) {
            a_block[i] = a[i / BK * K + k0 + i % BK];
        }
        for (var i = lane; i < BK * N; i += INVOCATIONS) {
            b_block[i] = b[(k0 + i / N) * N + i % N];
        }
        workgroupBarrier();
        for (var k = 0u; k < BK; k += 8u) {
            for (var i = 0u; i < 2u; i++) {
                let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 16>>(&a_block, i * 16 * BK + k, false, BK);
                for (var j = 0u; j < 4u; j++) {
                    let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&b_block, k * N + j * 8, false, N);
                    sum[i * 4 + j] = subgroupMatrixMultiplyAccumulate(left, right, sum[i * 4 + j]);
                }
            }
        }
        workgroupBarrier();
    }
    if (subgroup == 0) {
        for (var i = 0u; i < 8; i++) {
            subgroupMatrixStore(&d, i / 4 * 16 * N + i % 4 * 8, sum[i], false, N);
        }
    }
}
