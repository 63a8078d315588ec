//! run --dispatch 3,3 --bind 0,0=random:f16:45x40:1 --bind 0,1=random:f16:40x37:2 --bind 0,2=zeros:f32:45x37 --bind 0,3=values:u32:45,37,40
// C = A * B, f16 in, f32 out; the operands are staged with zero fill, so any M, N, K.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Uniforms {
    M: u32,
    N: u32,
    K: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

const tile = 16u;

var<workgroup> tile_A: array<f16, tile * tile>;
var<workgroup> tile_B: array<f16, tile * tile>;
var<workgroup> tile_C: array<f32, tile * tile>;

fn loadA(row: u32, k: u32, i: u32) {
    let r = row + i / tile;
    let q = k + i % tile;
    if (r < uniforms.M && q < uniforms.K) {
        tile_A[i] = a[r * uniforms.K + q];
    } else {
        tile_A[i] = 0.0h;
    }
}

fn loadB(k: u32, col: u32, i: u32) {
    let r = k + i / tile;
    let q = col + i % tile;
    if (r < uniforms.K && q < uniforms.N) {
        tile_B[i] = b[r * uniforms.N + q];
    } else {
        tile_B[i] = 0.0h;
    }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) wid: vec3<u32>,
        @builtin(local_invocation_index) lid: u32,
        @builtin(subgroup_id) sg: u32) {
    let row = wid.y * tile;
    let col = wid.x * tile;
    var sum: subgroup_matrix_result<f32, 16, 16>;

    for (var k = 0u; k < uniforms.K; k += tile) {
        for (var i = lid; i < tile * tile; i += 128u) {
            loadA(row, k, i);
            loadB(k, col, i);
        }
        workgroupBarrier();
        if (sg == 0u) {
            let ma = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&tile_A, 0, false, tile);
            let mb = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>>(&tile_B, 0, false, tile);
            sum = subgroupMatrixMultiplyAccumulate(ma, mb, sum);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore(&tile_C, 0u, sum, false, tile);
    }
    workgroupBarrier();
    for (var i = lid; i < tile * tile; i += 128u) {
        if (row + i / tile < uniforms.M && col + i % tile < uniforms.N) {
            c[(row + i / tile) * uniforms.N + col + i % tile] = tile_C[i];
        }
    }
}
