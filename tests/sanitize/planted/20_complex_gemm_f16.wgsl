// Planted: f16 overflow that cancels.
//! run --dispatch 2,2 --bind 0,0=iota:f16:22x19x2 --bind 0,1=iota:f16:19x27x2 --bind 0,2=zeros:f16:22x27 --bind 0,3=values:u32:22,27,19
// Real part of a complex product (beamforming): re(C)[m, n] = sum over k of ar * br - ai * bi; interleaved (re, im) f16.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<vec2<f16>>;
@group(0) @binding(1) var<storage, read> b: array<vec2<f16>>;
@group(0) @binding(2) var<storage, read_write> c_re: array<f16>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const T = 16u;
alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Sum = f16;

var<workgroup> ar: array<f16, T * T>;
var<workgroup> ai_neg: array<f16, T * T>;
var<workgroup> br: array<f16, T * T>;
var<workgroup> bi: array<f16, T * T>;
var<workgroup> ct: array<Sum, T * T>;

@compute @workgroup_size(128)
fn cgemm_re(@builtin(workgroup_id) wg: vec3<u32>,
            @builtin(local_invocation_index) tid: u32,
            @builtin(subgroup_id) sg: u32) {
    let m0 = wg.y * T;
    let n0 = wg.x * T;
    var re = subgroup_matrix_result<Sum, 16, 16>();
    for (var k0 = 0u; k0 < sizes.k; k0 += T) {
        for (var i = tid; i < T * T; i += 128u) {
            var va = vec2<f16>();
            var vb = vec2<f16>();
            if (m0 + i / T < sizes.m && k0 + i % T < sizes.k) {
                va = a[(m0 + i / T) * sizes.k + k0 + i % T];
            }
            if (k0 + i / T < sizes.k && n0 + i % T < sizes.n) {
                vb = b[(k0 + i / T) * sizes.n + n0 + i % T];
            }
            ar[i] = va.x;
            ai_neg[i] = -va.y;
            br[i] = vb.x;
            bi[i] = vb.y;
        }
        workgroupBarrier();
        if (sg == 0u) {
            let lr = subgroupMatrixLoad<Left, row_major>(&ar, 0u, T);
            let rr = subgroupMatrixLoad<Right, row_major>(&br, 0u, T);
            re = subgroupMatrixMultiplyAccumulate(lr, rr, re); // <- S0602
            let li = subgroupMatrixLoad<Left, row_major>(&ai_neg, 0u, T);
            let ri = subgroupMatrixLoad<Right, row_major>(&bi, 0u, T);
            re = subgroupMatrixMultiplyAccumulate(li, ri, re);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore<row_major>(&ct, 0u, re, T);
    }
    workgroupBarrier();
    for (var i = tid; i < T * T; i += 128u) {
        if (m0 + i / T < sizes.m && n0 + i % T < sizes.n) {
            c_re[(m0 + i / T) * sizes.n + n0 + i % T] = f16(ct[i]);
        }
    }
}
