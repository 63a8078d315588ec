//! run --dispatch 2,2 --bind 0,0=random:f32:45x44:1 --bind 0,1=random:f32:44x52:2 --bind 0,2=zeros:f32:45x52 --bind 0,3=values:u32:45,52,44
// C = A * B in f32 with two buffers: the next k block is staged while this one is multiplied, one barrier a step.
//   a [m, k]  b [k, n]  c [m, n]      n and k are multiples of 4, m is anything; rows in vec4
// In the end the buffers hold the block of C.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4<f32>>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const WG = 128u;
const BM = 32u;
const BN = 32u;
const BK = 8u;
const TILES = (BM / 8u) * (BN / 8u);
const A_PITCH = BK / 4u + 1u;            // vec4s; one of padding
const B_PITCH = BN / 4u + 1u;
const A_SIZE = BM * A_PITCH;
const B_SIZE = BK * B_PITCH;
const STAGE = A_SIZE + B_SIZE;
const C_PITCH = BN / 4u;

alias Left = subgroup_matrix_left<f32, 8, 8>;
alias Right = subgroup_matrix_right<f32, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

var<workgroup> mem: array<vec4<f32>, max(2u * STAGE, BM * C_PITCH)>;

fn stage(at: u32, m0: u32, n0: u32, k0: u32, tid: u32) {
    for (var i = tid; i < BM * BK / 4u; i += WG) {
        let r = i / (BK / 4u);
        let q = i % (BK / 4u);
        var v = vec4<f32>();
        if (m0 + r < sizes.m && k0 + q * 4u < sizes.k) {
            v = a[((m0 + r) * sizes.k + k0) / 4u + q];
        }
        mem[at + r * A_PITCH + q] = v;
    }
    for (var i = tid; i < BK * BN / 4u; i += WG) {
        let r = i / (BN / 4u);
        let q = i % (BN / 4u);
        var v = vec4<f32>();
        if (k0 + r < sizes.k && n0 + q * 4u < sizes.n) {
            v = b[((k0 + r) * sizes.n + n0) / 4u + q];
        }
        mem[at + A_SIZE + r * B_PITCH + q] = v;
    }
}

@compute @workgroup_size(WG)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32,
        @builtin(num_subgroups) sgs: u32) {
    let m0 = wg.y * BM;
    let n0 = wg.x * BN;
    var acc: array<Result, TILES>;

    var now = 0u;
    stage(now, m0, n0, 0u, tid);
    workgroupBarrier();
    for (var k0 = 0u; k0 < sizes.k; k0 += BK) {
        let next = STAGE - now;
        if (k0 + BK < sizes.k) {
            stage(next, m0, n0, k0 + BK, tid);
        }
        for (var t = sg; t < TILES; t += sgs) {
            let r = t / (BN / 8u) * 8u;
            let q = t % (BN / 8u) * 8u;
            let l = subgroupMatrixLoad<Left>(&mem, (now + r * A_PITCH) * 4u, false, A_PITCH * 4u);
            let x = subgroupMatrixLoad<Right>(&mem, (now + A_SIZE) * 4u + q, false, B_PITCH * 4u);
            acc[t] = subgroupMatrixMultiplyAccumulate(l, x, acc[t]);
        }
        workgroupBarrier();
        now = next;
    }

    for (var t = sg; t < TILES; t += sgs) {
        let r = t / (BN / 8u) * 8u;
        let q = t % (BN / 8u) * 8u;
        subgroupMatrixStore(&mem, r * C_PITCH * 4u + q, acc[t], false, C_PITCH * 4u);
    }
    workgroupBarrier();
    for (var i = tid; i < BM * C_PITCH; i += WG) {
        let r = m0 + i / C_PITCH;
        let q = n0 + i % C_PITCH * 4u;
        if (r < sizes.m && q < sizes.n) {
            c[(r * sizes.n + q) / 4u] = mem[i];
        }
    }
}
