//! subgroups 8 32
//! a       f16 8x8 iota -8 0.25
//! d       f16 8x8 marker
//! expect  d == values -20 -19.5 -19 -18.5 -18 -17.5 -17 -16.5 -16 -15.5 -15 -14.5 -14 -13.5 -13 -12.5 -12 -11.5 -11 -10.5 -10 -9.5 -9 -8.5 -8 -7.5 -7 -6.5 -6 -5.5 -5 -4.5 -4 -3.5 -3 -2.5 -2 -1.5 -1 -0.5 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5 8 8.5 9 9.5 10 10.5 11 11.5
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> d: array<f16>;

@compute @workgroup_size(32)
fn main() {
    let m = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&a, 0, false, 8);
    let twice = subgroupMatrixScalarMultiply(subgroupMatrixScalarSubtract(m, 3.0h), 2.0h);
    subgroupMatrixStore(&d, 0, subgroupMatrixScalarAdd(twice, 2), false, 8);
}
