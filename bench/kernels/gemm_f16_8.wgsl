enable f16;
enable chromium_experimental_subgroup_matrix;

// C [m,n] = A [m,k] * B [k,n] in 8x8x8 tiles, four of them a subgroup, one subgroup a workgroup: the same work, step by
// step, as gemm_f16_8.comp.
struct Sizes { m: u32, n: u32, k: u32 }
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;

alias Left = subgroup_matrix_left<f16, 8, 8>;
alias Right = subgroup_matrix_right<f16, 8, 8>;
alias Sum = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u) {
    let row = group.y * 16;
    let col = group.x * 16;
    var s00: Sum;
    var s01: Sum;
    var s10: Sum;
    var s11: Sum;
    for (var d = 0u; d < sizes.k; d += 8) {
        let l0 = subgroupMatrixLoad<Left>(&a, row * sizes.k + d, false, sizes.k);
        let l1 = subgroupMatrixLoad<Left>(&a, (row + 8) * sizes.k + d, false, sizes.k);
        let r0 = subgroupMatrixLoad<Right>(&b, d * sizes.n + col, false, sizes.n);
        let r1 = subgroupMatrixLoad<Right>(&b, d * sizes.n + col + 8, false, sizes.n);
        s00 = subgroupMatrixMultiplyAccumulate(l0, r0, s00);
        s01 = subgroupMatrixMultiplyAccumulate(l0, r1, s01);
        s10 = subgroupMatrixMultiplyAccumulate(l1, r0, s10);
        s11 = subgroupMatrixMultiplyAccumulate(l1, r1, s11);
    }
    subgroupMatrixStore(&c, row * sizes.n + col, s00, false, sizes.n);
    subgroupMatrixStore(&c, row * sizes.n + col + 8, s01, false, sizes.n);
    subgroupMatrixStore(&c, (row + 8) * sizes.n + col, s10, false, sizes.n);
    subgroupMatrixStore(&c, (row + 8) * sizes.n + col + 8, s11, false, sizes.n);
}
