// The way of ggml's matrix-matrix kernel: tiles in workgroup memory, arrays of arrays of matrices, the older four-argument
// load and store, subgroups beyond the expected number masked out.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

const SUBGROUP_M = 2u;
const SUBGROUP_N = 2u;
const MATRICES_M = 4u;
const MATRICES_N = 2u;
const SIZE_M = 8u;
const SIZE_N = 8u;
const SIZE_K = 8u;
const TILE_K = 32u;
const LARGEST_SUBGROUP = 64u;
const VEC_SIZE = 4;

const TILE_M_SIZE = SUBGROUP_M * MATRICES_M * SIZE_M;
const TILE_N_SIZE = SUBGROUP_N * MATRICES_N * SIZE_N;
const EXPECTED_SUBGROUPS = SUBGROUP_M * SUBGROUP_N;
const INVOCATIONS = EXPECTED_SUBGROUPS * LARGEST_SUBGROUP;
const TILE_A = TILE_K * TILE_M_SIZE;
const TILE_B = TILE_K * TILE_N_SIZE;
const SHARED_SIZE = max(TILE_A + TILE_B, TILE_M_SIZE * TILE_N_SIZE);

struct Params {
    offset_a: u32,
    offset_b: u32,
    offset_d: u32,
    m: u32,
    n: u32,
    k: u32,
    stride_a: u32,
    stride_b: u32,
    batch_a: u32,
    batch_b: u32,
    repeat: u32
};

@group(0) @binding(0) var<storage, read_write> src0: array<vec4<f16>>; // M rows, K columns
@group(0) @binding(1) var<storage, read_write> src1: array<vec4<f32>>; // K rows, N columns (transposed)
@group(0) @binding(2) var<storage, read_write> dst: array<vec4<f32>>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> shmem: array<f16, SHARED_SIZE>;

fn store_shmem(val: vec4<f16>, idx: u32) {
    shmem[idx] = val.x;
    shmem[idx + 1] = val.y;
    shmem[idx + 2] = val.z;
    shmem[idx + 3] = val.w;
}

fn init_a(thread_id: u32, offset_m: u32, k_outer: u32, batch: u32) {
    for (var elem = thread_id * VEC_SIZE; elem < TILE_A; elem += INVOCATIONS * VEC_SIZE) {
        let row = offset_m + elem / TILE_K;
        let col = k_outer + elem % TILE_K;
        let at = params.offset_a + batch * params.batch_a + row * params.stride_a + col;
        let val = select(vec4<f16>(0.0), src0[at/VEC_SIZE], row < params.m && col < params.k);
        store_shmem(val, elem);
    }
}

fn init_b(thread_id: u32, offset_n: u32, k_outer: u32, batch: u32) {
    for (var elem = thread_id * VEC_SIZE; elem < TILE_B; elem += INVOCATIONS * VEC_SIZE) {
        let row = offset_n + elem / TILE_K;
        let col = k_outer + elem % TILE_K;
        let at = params.offset_b + batch / params.repeat * params.batch_b + row * params.stride_b + col;
        let val = select(vec4<f32>(0.0), src1[at/VEC_SIZE], row < params.n && col < params.k);
        store_shmem(vec4<f16>(val), TILE_A + elem);
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) wg_id: vec3<u32>,
        @builtin(local_invocation_id) local_id: vec3<u32>,
        @builtin(subgroup_id) subgroup_id: u32,
        @builtin(num_workgroups) num_wg: vec3<u32>) {
    let thread_id = local_id.x;
    let subgroup_m = subgroup_id % SUBGROUP_M;
    let subgroup_n = subgroup_id / SUBGROUP_M;
    let tiles_m = (params.m + TILE_M_SIZE - 1) / TILE_M_SIZE;
    let tiles_n = (params.n + TILE_N_SIZE - 1) / TILE_N_SIZE;
    let linear = wg_id.y * num_wg.x + wg_id.x;
    let batch = linear / (tiles_m * tiles_n);
    let offset_m = linear % (tiles_m * tiles_n) % tiles_m * TILE_M_SIZE;
    let offset_n = linear % (tiles_m * tiles_n) / tiles_m * TILE_N_SIZE;

    var acc : array<array<subgroup_matrix_result<f16, SIZE_N, SIZE_M>, MATRICES_N>, MATRICES_M>;

    for (var k_outer = 0u; k_outer < params.k; k_outer += TILE_K) {
        init_a(thread_id, offset_m, k_outer, batch);
        init_b(thread_id, offset_n, k_outer, batch);
        workgroupBarrier();
        if (subgroup_id < EXPECTED_SUBGROUPS) {
            for (var k_inner = 0u; k_inner < TILE_K; k_inner += SIZE_K) {
                let base_a = subgroup_m * MATRICES_M * SIZE_M * TILE_K + k_inner;
                var a: array<subgroup_matrix_left<f16, SIZE_K, SIZE_M>, MATRICES_M>;
                for (var m = 0u; m < MATRICES_M; m++) {
                    a[m] = subgroupMatrixLoad<subgroup_matrix_left<f16, SIZE_K, SIZE_M>>(
                        &shmem,
                        base_a + m * SIZE_M * TILE_K,
                        false,
                        TILE_K
                    );
                }
                let base_b = TILE_A + subgroup_n * MATRICES_N * SIZE_N * TILE_K + k_inner;
                for (var n = 0u; n < MATRICES_N; n++) {
                    let b = subgroupMatrixLoad<subgroup_matrix_right<f16, SIZE_N, SIZE_K>>(
                        &shmem, base_b + n * SIZE_N * TILE_K, true, TILE_K);
                    for (var m = 0u; m < MATRICES_M; m++) {
                        acc[m][n] = subgroupMatrixMultiplyAccumulate(a[m], b, acc[m][n]);
                    }
                }
            }
        }
        workgroupBarrier();
    }

    let stride = TILE_M_SIZE;
    if (subgroup_id < EXPECTED_SUBGROUPS) { // masked out, the tail of larger subgroups
        for (var n = 0u; n < MATRICES_N; n++) {
            for (var m = 0u; m < MATRICES_M; m++) {
                let row = (subgroup_n * MATRICES_N + n) * SIZE_N;
                let col = (subgroup_m * MATRICES_M + m) * SIZE_M;
                subgroupMatrixStore(&shmem, row * stride + col, acc[m][n], true, stride);
            }
        }
    }
    workgroupBarrier();

    for (var idx = thread_id * VEC_SIZE; idx < TILE_M_SIZE * TILE_N_SIZE; idx += INVOCATIONS * VEC_SIZE) {
        let row = offset_m + idx % stride;
        let col = offset_n + idx / stride;
        if (col < params.n && row < params.m) {
            let at = params.offset_d + (batch * params.n + col) * params.m + row;
            dst[at/VEC_SIZE] = vec4<f32>(f32(shmem[idx]), f32(shmem[idx + 1]), f32(shmem[idx + 2]), f32(shmem[idx + 3]));
        }
    }
}

