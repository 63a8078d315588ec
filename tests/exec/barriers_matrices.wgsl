//! subgroups 4 8 16 32
//! a       f32 16x24 random 7
//! b       f32 24x16 random 8
//! d       f32 16x16 zeros
//! expect  d == a * b
// Sums live through barriers while what they are made from is replaced in workgroup memory; a matrix that was loaded before
// a barrier is used behind it, when its memory holds something else.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;

alias Left = subgroup_matrix_left<f32, 8, 8>;
alias Right = subgroup_matrix_right<f32, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

const SIZE = 64u;
var<workgroup> left: array<f32, 128>;
var<workgroup> right: array<f32, 128>;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_id) subgroup: u32,
        @builtin(num_subgroups) count: u32) {
    var sums: array<Result, 4>;
    for (var k = 0u; k < 24; k += 8) {
        for (var n = i; n < 128; n += SIZE) {
            left[n] = a[n / 8 * 24 + k + n % 8];
            right[n] = b[(k + n / 16) * 16 + n % 16];
        }
        workgroupBarrier();
        let upper = subgroupMatrixLoad<Left>(&left, 0, false, 8);
        var lower = subgroupMatrixLoad<Left>(&left, 64, false, 8);
        workgroupBarrier();
        for (var n = i; n < 128; n += SIZE) {
            left[n] = 1000.0;
        }
        workgroupBarrier();
        for (var tile = 0u; tile < 4; tile++) {
            if (tile % count == subgroup) {
                let columns = subgroupMatrixLoad<Right>(&right, tile % 2 * 8, false, 16);
                if (tile < 2) {
                    sums[tile] = subgroupMatrixMultiplyAccumulate(upper, columns, sums[tile]);
                } else {
                    sums[tile] = subgroupMatrixMultiplyAccumulate(lower, columns, sums[tile]);
                }
            }
        }
        workgroupBarrier();
    }
    for (var tile = 0u; tile < 4; tile++) {
        if (tile % count == subgroup) {
            subgroupMatrixStore(&d, tile / 2 * 128 + tile % 2 * 8, sums[tile], false, 16);
        }
    }
}
