// The way of onnxruntime's kernel for quantized weights: majorness as a template argument, many named accumulators, padded
// strides, blocks as scopes, constants of type u32 from abstract ones, vectors indexed by constants.
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
struct Uniforms { M: u32, N: u32, K: u32, zero_blocks_per_col: u32, weight_idx: u32, };
@group(0) @binding(0) var<storage, read> input_a: array<f16>;
@group(0) @binding(1) var<storage, read> input_b: array<u32>;
@group(0) @binding(2) var<storage, read> scales_b: array<f16>;
@group(0) @binding(3) var<storage, read_write> output: array<f16>;
@group(0) @binding(4) var<uniform> uniforms: Uniforms;
const kBlock: u32 = 32;
const BM: u32 = 64;
const BN: u32 = 64;
const BK: u32 = 32;
const kSgMatM: u32 = u32(16);
const kSgMatN: u32 = u32(16);
const kSgMatK: u32 = u32(16);
const WN: u32 = BN / 2;
const kSgMatSizeLeft: u32 = kSgMatM * kSgMatK;
const kCountM: u32 = BM / kSgMatM;
const STRIDE: u32 = BK + 8;
var<workgroup> buf_b: array<f16, BN * STRIDE>;
var<workgroup> stage: array<f16, kSgMatM * kSgMatN * 4>;
fn read_zero(row: u32, col: u32) -> f16 {
    _ = row + col;
    return f16(8.0);
}
fn dequant_b(n_base: u32, k_idx: u32, n_idx: u32, k_chunk: u32) {
    const weight_offset : u32 = 0;
    let k_offset = k_chunk * 16u;
    {
        let global_n = n_base + n_idx;
        let base = n_idx * STRIDE + k_offset;
        if (global_n < uniforms.N) {
            let packed_idx = u32((global_n * uniforms.K + k_idx + k_offset) / 8) + weight_offset / 8;
            let scale = f16(scales_b[(global_n * uniforms.K + k_idx + k_offset) / kBlock]);
            let zero = read_zero(global_n, (k_idx + k_offset) / kBlock);
            for (var step: u32 = 0; step < 2u; step++) {
                let packed = input_b[packed_idx + step];
                let lo = (vec4<f16>(unpack4xU8(packed & 0x0F0F0F0Fu)) - vec4<f16>(zero)) * scale;
                let hi = (vec4<f16>(unpack4xU8((packed >> 4u) & 0x0F0F0F0Fu)) - vec4<f16>(zero)) * scale;
                let b = base + step * 8u;
                buf_b[b]     = lo[0]; buf_b[b + 1] = hi[0];
                buf_b[b + 2] = lo[1]; buf_b[b + 3] = hi[1];
                buf_b[b + 4] = lo[2]; buf_b[b + 5] = hi[2];
                buf_b[b + 6] = lo[3]; buf_b[b + 7] = hi[3];
            }
        } else {
            for (var i: u32 = 0; i < 16u; i++) {
                buf_b[base + i] = f16(0.0);
            }
        }
    }
}
@compute @workgroup_size(128, 1, 1)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) local_idx: u32,
        @builtin(subgroup_invocation_id) sg_id: u32, @builtin(subgroup_size) sg_size: u32) {
    let base_m = workgroup_id.y * BM;
    let base_n = workgroup_id.x * BN;
    let sg_idx = u32(local_idx / sg_size);
    let row = sg_idx % 2u;
    let col = sg_idx / 2u;
    let count_k = uniforms.K / kSgMatK;
    var c00: subgroup_matrix_result<f16, 16, 16>;
    var c01: subgroup_matrix_result<f16, 16, 16>;
    var c10: subgroup_matrix_result<f16, 16, 16>;
    var c11: subgroup_matrix_result<f16, 16, 16>;
    var a_at0 = (workgroup_id.y * kCountM + row * 2u + 0u) * count_k * kSgMatSizeLeft;
    var a_at1 = (workgroup_id.y * kCountM + row * 2u + 1u) * count_k * kSgMatSizeLeft;
    for (var k_block: u32 = 0; k_block < uniforms.K; k_block += BK) {
        dequant_b(base_n, k_block, local_idx / 2u, local_idx % 2u);
        workgroupBarrier();
        for (var k: u32 = 0; k < BK; k += kSgMatK) {
            let b_base = (col * WN) * STRIDE + k;
            var b0: subgroup_matrix_right<f16, 16, 16> =
                subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>, col_major>(&buf_b, b_base, STRIDE);
            var b1: subgroup_matrix_right<f16, 16, 16> =
                subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>, col_major>(&buf_b, b_base + 16u * STRIDE, STRIDE);
            var a0: subgroup_matrix_left<f16, 16, 16> =
                subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>, row_major>(
                    &input_a, a_at0, kSgMatK);
            a_at0 += kSgMatSizeLeft;
            c00 = subgroupMatrixMultiplyAccumulate(a0, b0, c00);
            c01 = subgroupMatrixMultiplyAccumulate(a0, b1, c01);
            var a1: subgroup_matrix_left<f16, 16, 16> =
                subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>, row_major>(&input_a, a_at1, kSgMatK);
            a_at1 += kSgMatSizeLeft;
            c10 = subgroupMatrixMultiplyAccumulate(a1, b0, c10);
            c11 = subgroupMatrixMultiplyAccumulate(a1, b1, c11);
        }
        workgroupBarrier();
    }
    let to = (base_m + row * 32u) * uniforms.N + base_n + col * WN;
    if (base_m + BM <= uniforms.M && base_n + BN <= uniforms.N) {
        subgroupMatrixStore<row_major>(&output, to, c00, uniforms.N);
        subgroupMatrixStore<row_major>(&output, to + 16u, c01, uniforms.N);
        subgroupMatrixStore<row_major>(&output, to + 16u * uniforms.N, c10, uniforms.N);
        subgroupMatrixStore<row_major>(&output, to + 16u * uniforms.N + 16u, c11, uniforms.N);
    } else {
        subgroupMatrixStore<row_major>(&stage, sg_idx * 256u, c00, 16u);
        workgroupBarrier();
        for (var i = sg_id; i < 256u; i += sg_size) {
            let r = base_m + row * 32u + i / 16u;
            let c = base_n + col * WN + i % 16u;
            if (r < uniforms.M && c < uniforms.N) { output[r * uniforms.N + c] = stage[sg_idx * 256u + i]; }
        }
    }
}
