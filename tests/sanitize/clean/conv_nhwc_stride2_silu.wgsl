//! run --dispatch 3,3,2 --bind 0,0=random:f16:2x11x9x5:1 --bind 0,1=random:f16:3x3x5x19:2 --bind 0,2=random:f32:19:3 --bind 0,3=zeros:f32:2x6x5x19 --bind 0,4=values:i32:11,9,5,6,5,19
// 3x3 convolution, stride 2, padding 1, NHWC, as an implicit GEMM: im2col(x) [oh*ow, 9*cin] times weight [9*cin, cout],
// then silu(sum + bias). f16 in, f32 out. Grid: any size that covers; workgroups outside return at once.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Conv {
    h: i32,
    w: i32,
    cin: i32,
    oh: i32,
    ow: i32,
    cout: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f16>;
@group(0) @binding(1) var<storage, read> weight: array<f16>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> conv: Conv;

const WG = 128;
const T = 16;
const PITCH = T + 8;

var<workgroup> xt: array<f16, T * PITCH>;
var<workgroup> wt: array<f16, T * PITCH>;
var<workgroup> yt: array<f32, T * T>;

fn gather(image: i32, pixel: i32, k: i32) -> f16 {
    let tap = k / conv.cin;
    let yy = pixel / conv.ow * 2 + tap / 3 - 1;
    let xx = pixel % conv.ow * 2 + tap % 3 - 1;
    if (pixel >= conv.oh * conv.ow || tap >= 9 || yy < 0 || yy >= conv.h || xx < 0 || xx >= conv.w) {
        return 0.0h;
    }
    return x[((image * conv.h + yy) * conv.w + xx) * conv.cin + k % conv.cin];
}

fn silu(v: f32) -> f32 {
    return v / (1.0 + exp(-v));
}

@compute @workgroup_size(WG)
fn conv2d(@builtin(workgroup_id) wg: vec3<u32>,
          @builtin(local_invocation_index) index: u32,
          @builtin(subgroup_id) sg: u32) {
    let p0 = i32(wg.x) * T;
    let c0 = i32(wg.y) * T;
    let pixels = conv.oh * conv.ow;
    if (p0 >= pixels || c0 >= conv.cout) {
        return;
    }
    let image = i32(wg.z);
    let tid = i32(index);
    let depth = conv.cin * 9;
    var acc: subgroup_matrix_result<f32, 16, 16>;
    for (var k = 0; k < depth; k += T) {
        for (var i = tid; i < T * T; i += WG) {
            let r = i / T;
            let q = i % T;
            xt[r * PITCH + q] = gather(image, p0 + r, k + q);
            var w = 0.0h;
            if (k + r < depth && c0 + q < conv.cout) {
                w = weight[(k + r) * conv.cout + c0 + q];
            }
            wt[r * PITCH + q] = w;
        }
        workgroupBarrier();
        if (sg == 0u) {
            let l = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&xt, 0, false, PITCH);
            let r = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>>(&wt, 0, false, PITCH);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore(&yt, 0, acc, false, T);
    }
    workgroupBarrier();
    for (var i = tid; i < T * T; i += WG) {
        let pixel = p0 + i / T;
        let channel = c0 + i % T;
        if (pixel < pixels && channel < conv.cout) {
            y[(image * pixels + pixel) * conv.cout + channel] = silu(yt[i] + bias[channel]);
        }
    }
}
