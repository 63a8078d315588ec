//! run --dispatch 3,2,5 --bind 0,0=random:i8:21x108:1 --bind 0,1=random:i8:37x108:2 --bind 0,2=zeros:i32:21x37 --bind 0,3=struct:u32=21,u32=37,u32=108,i32=3,i32=-5
// C[m, n] += sum over a slice of k of (a[m, k] - za) * (b[n, k] - zb), i8 in, i32 out, c zero at the start.
// workgroup_id.z takes every wgs.z-th block of k; the slices meet by atomicAdd. The zero points are taken out with the
// sums of the rows: sum(ab) - zb sum(a) - za sum(b) + K za zb, slice by slice. k is a multiple of 4.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
    za: i32,
    zb: i32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<atomic<i32>>;
@group(0) @binding(3) var<uniform> params: Params;

const WG = 128u;
const BM = 16u;
const BN = 16u;
const WORDS = 8u; // 32 components

alias Left = subgroup_matrix_left<i8, 32, 8>;
alias Right = subgroup_matrix_right<i8, 8, 32>;
alias Result = subgroup_matrix_result<i32, 8, 8>;

var<workgroup> tile_a: array<u32, BM * WORDS>;
var<workgroup> tile_b: array<u32, BN * WORDS>;
var<workgroup> tile_c: array<i32, BM * BN>;
var<workgroup> sum_a: array<atomic<i32>, BM>;
var<workgroup> sum_b: array<atomic<i32>, BN>;
var<workgroup> depth: atomic<u32>; // components of k that this slice had

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(num_workgroups) wgs: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let m0 = wg.y * BM;
    let n0 = wg.x * BN;
    let kw = params.k / 4u;
    let blocks = (kw + WORDS - 1u) / WORDS;
    if (wg.z >= blocks) {
        return; // nothing to do for this slice, the whole workgroup
    }
    if (tid < BM) {
        atomicStore(&sum_a[tid], 0);
        atomicStore(&sum_b[tid], 0);
    }
    if (tid == 0u) {
        atomicStore(&depth, 0u);
    }
    workgroupBarrier();

    const ONES = 0x01010101u;
    var acc: array<Result, 4>;
    for (var block = wg.z; block < blocks; block += wgs.z) {
        let r = tid / WORDS;
        let w = block * WORDS + tid % WORDS;
        var va = 0u;
        var vb = 0u;
        if (w < kw) {
            if (m0 + r < params.m) {
                va = a[(m0 + r) * kw + w];
            }
            if (n0 + r < params.n) {
                vb = b[(n0 + r) * kw + w];
            }
            if (r == 0u) {
                atomicAdd(&depth, 4u);
            }
        }
        tile_a[tid] = va;
        tile_b[tid] = vb;
        atomicAdd(&sum_a[r], dot4I8Packed(va, ONES));
        atomicAdd(&sum_b[r], dot4I8Packed(vb, ONES));
        workgroupBarrier();
        for (var t = sg; t < 4u; t += sgs) {
            let l = subgroupMatrixLoad<Left, row_major>(&tile_a, t / 2u * 8u * WORDS, WORDS);
            let x = subgroupMatrixLoad<Right, col_major>(&tile_b, t % 2u * 8u * WORDS, WORDS);
            acc[t] = subgroupMatrixMultiplyAccumulate(l, x, acc[t]);
        }
        workgroupBarrier();
    }
    for (var t = sg; t < 4u; t += sgs) {
        subgroupMatrixStore<row_major>(&tile_c, t / 2u * 8u * BN + t % 2u * 8u, acc[t], BN);
    }
    workgroupBarrier();
    for (var i = tid; i < BM * BN; i += WG) {
        let r = i / BN;
        let q = i % BN;
        if (m0 + r < params.m && n0 + q < params.n) {
            let v = tile_c[i] - params.zb * atomicLoad(&sum_a[r]) - params.za * atomicLoad(&sum_b[q])
                + i32(atomicLoad(&depth)) * params.za * params.zb;
            atomicAdd(&c[(m0 + r) * params.n + n0 + q], v);
        }
    }
}
