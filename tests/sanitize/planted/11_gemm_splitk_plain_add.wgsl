// Planted: data race.
//! run --dispatch 3,2,3 --bind 0,0=random:i8:19x76:1 --bind 0,1=random:i8:22x76:2 --bind 0,2=zeros:i32:19x22 --bind 0,3=values:u32:19,22,76
// Split-K: c[m, n] += A[m, k] * B[n, k]^T over the slice of k that workgroup_id.z names. i8 in, i32 out; c starts at zero.
// K is a multiple of 4.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;
@group(0) @binding(3) var<uniform> dims: Dims;

const TM = 16u;
const TN = 8u;
const TK = 32u;
const WORDS = TK / 4u;

var<workgroup> ta: array<u32, TM * WORDS>;
var<workgroup> tb: array<u32, TN * WORDS>; // transposed
var<workgroup> tc: array<i32, TM * TN>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(num_workgroups) wgs: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let m0 = wg.y * TM;
    let n0 = wg.x * TN;
    let kw = dims.k / 4u;
    var acc: subgroup_matrix_result<i32, TN, TM>;
    for (var w0 = wg.z * WORDS; w0 < kw; w0 += wgs.z * WORDS) {
        for (var i = tid; i < TM * WORDS; i += 64u) {
            let r = m0 + i / WORDS;
            let w = w0 + i % WORDS;
            ta[i] = 0u;
            if (r < dims.m && w < kw) {
                ta[i] = a[r * kw + w];
            }
        }
        for (var i = tid; i < TN * WORDS; i += 64u) {
            let r = n0 + i / WORDS;
            let w = w0 + i % WORDS;
            tb[i] = 0u;
            if (r < dims.n && w < kw) {
                tb[i] = b[r * kw + w];
            }
        }
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<i8, TK, TM>, row_major>(&ta, 0u, WORDS);
            let r = subgroupMatrixLoad<subgroup_matrix_right<i8, TN, TK>, col_major>(&tb, 0u, WORDS);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore<row_major>(&tc, 0u, acc, TN);
    }
    workgroupBarrier();
    for (var i = tid; i < TM * TN; i += 64u) {
        let r = m0 + i / TN;
        let q = n0 + i % TN;
        if (r < dims.m && q < dims.n) {
            c[r * dims.n + q] += tc[i]; // <- S0303
        }
    }
}
