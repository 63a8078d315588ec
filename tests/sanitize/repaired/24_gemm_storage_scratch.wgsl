//! run --dispatch 3,2 --bind 0,0=random:f16:25x48:1 --bind 0,1=random:f16:48x41:2 --bind 0,2=random:f32:25x41:3 --bind 0,3=zeros:f32:2x3x256 --bind 0,4=zeros:f32:25x41 --bind 0,5=struct:u32=25,u32=41,u32=48,f32=0.5,f32=2
// D = alpha * A * B + beta * C; the accumulators go through a scratch tile in storage, since workgroup memory is full.
// K a multiple of 16.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Params {
    m: u32,
    n: u32,
    k: u32,
    alpha: f32,
    beta: f32,
}

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> scratch: array<f32>;
@group(0) @binding(4) var<storage, read_write> d: array<f32>;
@group(0) @binding(5) var<uniform> params: Params;

const T = 16u;
var<workgroup> at: array<f16, T * T>;
var<workgroup> bt: array<f16, T * T>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(num_workgroups) wgs: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    let m0 = wg.y * T;
    let n0 = wg.x * T;
    let tile = (wg.y * wgs.x + wg.x) * T * T;
    var acc: subgroup_matrix_result<f32, 16, 16>;
    for (var k0 = 0u; k0 < params.k; k0 += T) {
        for (var i = tid; i < T * T; i += 128u) {
            let r = m0 + i / T;
            let q = n0 + i % T;
            at[i] = 0.0h;
            bt[i] = 0.0h;
            if (r < params.m) {
                at[i] = a[r * params.k + k0 + i % T];
            }
            if (q < params.n) {
                bt[i] = b[(k0 + i / T) * params.n + q];
            }
        }
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&at, 0u, false, T);
            let r = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>>(&bt, 0u, false, T);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore(&scratch, tile, acc, false, T);
    }
    storageBarrier();
    for (var i = tid; i < T * T; i += 128u) {
        let r = m0 + i / T;
        let q = n0 + i % T;
        if (r < params.m && q < params.n) {
            let at_c = r * params.n + q;
            d[at_c] = params.alpha * scratch[tile + i] + params.beta * c[at_c];
        }
    }
}
