// Double buffering: the next block is fetched into the other half while this one is multiplied; one barrier a round.
//! run --bind 0,0=random:f32:16x64:1 --bind 0,1=random:f32:64x16:2 --bind 0,2=zeros:f32:16x16
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

const K = 64u;
const BK = 8u;
var<workgroup> as_: array<array<f32, 128>, 2>;
var<workgroup> bs: array<array<f32, 128>, 2>;

fn fetch(half: u32, k0: u32, tid: u32) {
    as_[half][tid] = a[tid / BK * K + k0 + tid % BK];
    bs[half][tid] = b[(k0 + tid / 16u) * 16u + tid % 16u];
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32) {
    var acc: array<subgroup_matrix_result<f32, 8, 8>, 4>;
    fetch(0u, 0u, tid);
    for (var round = 0u; round < K / BK; round++) {
        workgroupBarrier();
        let half = round % 2u;
        if (round + 1u < K / BK) {
            fetch(1u - half, (round + 1u) * BK, tid);
        }
        for (var t = sg; t < 4u; t += sgs) {
            let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&as_[half], t / 2u * 64u, false, BK);
            let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&bs[half], t % 2u * 8u, false, 16u);
            acc[t] = subgroupMatrixMultiplyAccumulate(left, right, acc[t]);
        }
    }
    for (var t = sg; t < 4u; t += sgs) {
        subgroupMatrixStore(&c, t / 2u * 128u + t % 2u * 8u, acc[t], false, 16u);
    }
}
