//! run --dispatch 8,3,2 --bind 0,0=random:f32:2x3x7x9:1 --bind 0,1=random:f32:24x3x3x3:2 --bind 0,2=random:f32:24:3 --bind 0,3=zeros:f32:2x24x63 --bind 0,4=values:i32:7,9,3,24
// 3x3 convolution, padding 1, as an implicit GEMM: weights [cout, cin*9] times im2col(x) [cin*9, h*w]; bias is the start
// of the sum. cout is a multiple of 8.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Conv {
    h: i32,
    w: i32,
    cin: i32,
    cout: i32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> conv: Conv;

const T = 8;
var<workgroup> w_tile: array<f32, 64>;
var<workgroup> x_tile: array<f32, 64>;
var<workgroup> y_tile: array<f32, 64>;

fn im2col(image: i32, row: i32, pixel: i32) -> f32 {
    if (row >= conv.cin * 9 || pixel >= conv.h * conv.w) {
        return 0.0;
    }
    let ci = row / 9;
    let yy = pixel / conv.w + row % 9 / 3 - 1;
    let xx = pixel % conv.w + row % 3 - 1;
    if (yy < 0 || yy >= conv.h || xx < 0 || xx >= conv.w) {
        return 0.0;
    }
    return x[((image * conv.cin + ci) * conv.h + yy) * conv.w + xx];
}

@compute @workgroup_size(64)
fn conv3x3(@builtin(workgroup_id) wg: vec3<u32>,
           @builtin(local_invocation_index) lane: u32,
           @builtin(subgroup_id) sg: u32) {
    let p0 = i32(wg.x) * T;
    let c0 = i32(wg.y) * T;
    let image = i32(wg.z);
    let r = i32(lane) / T;
    let q = i32(lane) % T;
    let depth = conv.cin * 9;
    let pixels = conv.h * conv.w;

    y_tile[lane] = bias[c0 + r];
    workgroupBarrier();
    var acc: subgroup_matrix_result<f32, 8, 8>;
    if (sg == 0u) {
        acc = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&y_tile, 0, false, 8);
    }
    for (var k = 0; k < depth; k += T) {
        w_tile[lane] = 0.0;
        if (k + q < depth) {
            w_tile[lane] = weight[(c0 + r) * depth + k + q];
        }
        x_tile[lane] = im2col(image, k + r, p0 + q);
        workgroupBarrier();
        if (sg == 0u) {
            let wl = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&w_tile, 0, false, 8);
            let xr = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&x_tile, 0, false, 8);
            acc = subgroupMatrixMultiplyAccumulate(wl, xr, acc);
        }
        workgroupBarrier();
    }
    let at = (image * conv.cout + c0) * pixels + p0;
    if (sg == 0u) {
        subgroupMatrixStore(&y_tile, 0, acc, false, 8);
    }
    workgroupBarrier();
    if (p0 + q < pixels) {
        y[at + r * pixels + q] = y_tile[lane];
    }
}
