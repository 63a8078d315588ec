// C = A * B, f32, row-major, any m, n and k: tuned for a CPU. Blocks that stick out are copied with zeros behind the edge.
//
//   a  [m, k]   b  [k, n]   c  [m, n]    dispatch (ceil(n / 128), ceil(m / ROWS), 1)

diagnostic(off, chromium.subgroup_matrix_uniformity);

enable subgroups;
enable chromium_experimental_subgroup_matrix;

struct Sizes {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

const INVOCATIONS = 32u; // one subgroup
const ROWS = 24u;        // of C that a workgroup makes
const COLS = 128u;
const DEPTH = 64u;

alias Left = subgroup_matrix_left<f32, DEPTH, ROWS>;
alias Right = subgroup_matrix_right<f32, COLS, DEPTH>;
alias Result = subgroup_matrix_result<f32, COLS, ROWS>;

var<workgroup> a_block: array<f32, ROWS * DEPTH>;
var<workgroup> b_block: array<f32, DEPTH * COLS>;
var<workgroup> c_block: array<f32, ROWS * COLS>;

fn copy_left(lane: u32, row0: u32, k0: u32) {
    for (var r = 0u; r < ROWS; r++) {
        let row = row0 + r;
        for (var i = lane; i < DEPTH; i += INVOCATIONS) {
            var x = 0.0;
            if (row < sizes.m && k0 + i < sizes.k) {
                x = a[row * sizes.k + k0 + i];
            }
            a_block[r * DEPTH + i] = x;
        }
    }
}

fn copy_right(lane: u32, k0: u32, col0: u32) {
    for (var r = 0u; r < DEPTH; r++) {
        let row = k0 + r;
        for (var i = lane; i < COLS; i += INVOCATIONS) {
            var x = 0.0;
            if (row < sizes.k && col0 + i < sizes.n) {
                x = b[row * sizes.n + col0 + i];
            }
            b_block[r * COLS + i] = x;
        }
    }
}

@compute @workgroup_size(INVOCATIONS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row0 = group.y * ROWS;
    let col0 = group.x * COLS;
    let cols_inside = col0 + COLS <= sizes.n;
    let rows_inside = row0 + ROWS <= sizes.m;
    var sum: Result;
    for (var k = 0u; k < sizes.k; k += DEPTH) {
        let k_inside = k + DEPTH <= sizes.k;
        if (rows_inside && cols_inside && k_inside) {
            let left = subgroupMatrixLoad<Left>(&a, row0 * sizes.k + k, false, sizes.k);
            let right = subgroupMatrixLoad<Right>(&b, k * sizes.n + col0, false, sizes.n);
            sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
        } else if (cols_inside && k_inside) {
            copy_left(lane, row0, k);
            workgroupBarrier();
            let left = subgroupMatrixLoad<Left>(&a_block, 0, false, DEPTH);
            let right = subgroupMatrixLoad<Right>(&b, k * sizes.n + col0, false, sizes.n);
            sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
        } else {
            copy_left(lane, row0, k);
            copy_right(lane, k, col0);
            workgroupBarrier();
            let left = subgroupMatrixLoad<Left>(&a_block, 0, false, DEPTH);
            let right = subgroupMatrixLoad<Right>(&b_block, 0, false, COLS);
            sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
        }
        workgroupBarrier();
    }
    if (rows_inside && cols_inside) {
        subgroupMatrixStore(&c, row0 * sizes.n + col0, sum, false, sizes.n);
        return;
    }
    subgroupMatrixStore(&c_block, 0, sum, false, COLS);
    workgroupBarrier();
    for (var r = 0u; r < ROWS && row0 + r < sizes.m; r++) {
        for (var i = lane; i < COLS; i += INVOCATIONS) {
            if (col0 + i < sizes.n) {
                c[(row0 + r) * sizes.n + col0 + i] = c_block[r * COLS + i];
            }
        }
    }
}
