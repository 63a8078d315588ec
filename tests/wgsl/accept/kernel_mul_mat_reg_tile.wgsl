// Register tiling without matrix units: a private array of accumulators as an array of arrays, indexed by constants and loops.
enable f16;
struct Params { m: u32, n: u32, k: u32, stride_a: u32, stride_b: u32, };
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
override WORKGROUP_SIZE_M: u32;
override WORKGROUP_SIZE_N: u32;
override TILE_K: u32 = 16;
const TILE_M = 4u;
const TILE_N = 4u;
override TOTAL = WORKGROUP_SIZE_M * WORKGROUP_SIZE_N;
override A_SIZE = TILE_K * WORKGROUP_SIZE_M * TILE_M;
override B_SIZE = TILE_K * WORKGROUP_SIZE_N * TILE_N;
var<workgroup> shmem: array<f16, A_SIZE + B_SIZE>;
fn get_local_n(thread_id: u32) -> u32 { return thread_id / WORKGROUP_SIZE_M; }
fn get_local_m(thread_id: u32) -> u32 { return thread_id % WORKGROUP_SIZE_M; }
@compute @workgroup_size(TOTAL)
fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_id) local_id: vec3<u32>) {
    let thread_id = local_id.x;
    let local_m = get_local_m(thread_id);
    let local_n = get_local_n(thread_id);
    let offset_m = wg.x * WORKGROUP_SIZE_M * TILE_M;
    let offset_n = wg.y * WORKGROUP_SIZE_N * TILE_N;
    var acc: array<array<f32, TILE_N>, TILE_M>;
    for (var k_outer = 0u; k_outer < params.k; k_outer += TILE_K) {
        for (var i = thread_id; i < A_SIZE; i += TOTAL) {
            let row = offset_m + i / TILE_K;
            let col = k_outer + i % TILE_K;
            shmem[i] = select(0.0h, a[row * params.stride_a + col], row < params.m && col < params.k);
        }
        for (var i = thread_id; i < B_SIZE; i += TOTAL) {
            let row = offset_n + i / TILE_K;
            let col = k_outer + i % TILE_K;
            shmem[A_SIZE + i] = select(f16(0), b[row * params.stride_b + col], row < params.n && col < params.k);
        }
        workgroupBarrier();
        let k_end = min(TILE_K, params.k - k_outer);
        for (var k = 0u; k < k_end; k++) {
            var column: array<f16, TILE_M>;
            for (var i = 0u; i < TILE_M; i++) { column[i] = shmem[(local_m * TILE_M + i) * TILE_K + k]; }
            for (var j = 0u; j < TILE_N; j++) {
                let value = shmem[A_SIZE + (local_n * TILE_N + j) * TILE_K + k];
                for (var i = 0u; i < TILE_M; i++) { acc[i][j] += f32(column[i]) * f32(value); }
            }
        }
        workgroupBarrier();
    }
    for (var j = 0u; j < TILE_N; j++) {
        for (var i = 0u; i < TILE_M; i++) {
            let row = offset_m + local_m * TILE_M + i;
            let col = offset_n + local_n * TILE_N + j;
            if (row < params.m && col < params.n) { d[col * params.m + row] = acc[i][j]; }
        }
    }
}
