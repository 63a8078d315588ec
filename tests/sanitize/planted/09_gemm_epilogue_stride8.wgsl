// Planted: odd stride.
//! run --dispatch 2,3 --bind 0,0=random:f16:22x32:1 --bind 0,1=random:f16:32x27:2 --bind 0,2=random:f32:27:3 --bind 0,3=zeros:f32:22x27 --bind 0,4=values:u32:22,27,32
// y = gelu(a * b + bias): 8x16x16 tiles of XMX-like units. K a multiple of 16; a is padded by its staging.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable subgroup_matrix;

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> dims: Dims;

const TM = 8u;
const TN = 16u;
const TK = 16u;

var<workgroup> sa: array<f16, TM * TK>;
var<workgroup> sb: array<f16, TK * TN>;
var<workgroup> scratch: array<f32, TM * TN>;

fn gelu(x: f32) -> f32 {
    let inner = 0.7978845608 * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1.0 + tanh(clamp(inner, -10.0, 10.0)));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let m0 = wg.y * TM;
    let n0 = wg.x * TN;
    var acc: subgroup_matrix_result<f32, TN, TM>;
    for (var k0 = 0u; k0 < dims.k; k0 += TK) {
        for (var i = tid; i < TM * TK; i += 64u) {
            let r = m0 + i / TK;
            sa[i] = select(0.0h, a[min(r, dims.m - 1u) * dims.k + k0 + i % TK], r < dims.m);
        }
        for (var i = tid; i < TK * TN; i += 64u) {
            let c = n0 + i % TN;
            sb[i] = select(0.0h, b[(k0 + i / TN) * dims.n + min(c, dims.n - 1u)], c < dims.n);
        }
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f16, TK, TM>>(&sa, 0u, false, TK);
            let r = subgroupMatrixLoad<subgroup_matrix_right<f16, TN, TK>>(&sb, 0u, false, TN);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore(&scratch, 0u, acc, false, TM); // <- S0201
    }
    workgroupBarrier();
    for (var i = tid; i < TM * TN; i += 64u) {
        let r = m0 + i / TN;
        let c = n0 + i % TN;
        if (r < dims.m && c < dims.n) {
            y[r * dims.n + c] = gelu(scratch[i] + bias[c]);
        }
    }
}
