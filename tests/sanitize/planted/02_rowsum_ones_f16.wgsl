// Planted: edge load.
//! run --dispatch 2,2 --bind 0,0=random:f16:2x32x45:11 --bind 0,1=zeros:f32:2x32 --set COLS=45 --set ROWS=32
//! also S0202
// Row sums of a batch of f16 matrices on the matrix units: x * ones, as layer norm's first pass.
//   x [batch, ROWS, COLS]   sums [batch, ROWS]       ROWS a multiple of 16
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

override ROWS: u32 = 64;
override COLS: u32 = 64;

@group(0) @binding(0) var<storage, read> x: array<f16>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Result = subgroup_matrix_result<f32, 16, 16>;

var<workgroup> ones: array<f16, 256>;
var<workgroup> out_tile: array<f32, 256>;

fn fill(tid: u32, value: f16) {
    for (var i = tid; i < 256u; i += 64u) {
        ones[i] = value;
    }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wg: vec3<u32>,
        @builtin(local_invocation_index) tid: u32,
        @builtin(subgroup_id) sg: u32) {
    fill(tid, 1.0h);
    workgroupBarrier();
    let base = (wg.y * ROWS + wg.x * 16u) * COLS;
    var acc = Result();
    for (var c0 = 0u; c0 < COLS; c0 += 16u) {
        if (sg == 0u) {
            let l = subgroupMatrixLoad<Left, row_major>(&x, base + c0, COLS); // <- S0104
            let r = subgroupMatrixLoad<Right, row_major>(&ones, 0u, 16u);
            acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
        }
        workgroupBarrier();
    }
    if (sg == 0u) {
        subgroupMatrixStore<row_major>(&out_tile, 0u, acc, 16u);
    }
    workgroupBarrier();
    if (tid < 16u) {
        sums[wg.y * ROWS + wg.x * 16u + tid] = out_tile[tid * 16u];
    }
}
