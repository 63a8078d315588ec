//! subgroups 4 16
//! a       i8 4x4 values -128 -100 -1 0 1 2 100 127 5
//! d       i8 4x12 marker
//! expect  d == values -1 27 126 127 -128 -127 -29 -2 -124 -124 -124 -124 -124 -124 -124 -124 -128 -100 -1 0 1 2 100 127 5 5 5 5 5 5 5 5 0 0 -128 0 -128 0 0 -128 -128 -128 -128 -128 -128 -128 -128 -128
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// The scalar is clamped to the range of i8; the result wraps.
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> d: array<i32>;

@compute @workgroup_size(16)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<i8, 4, 4>>(&a, 0, false, 4);
        let big = 1000i;
        subgroupMatrixStore(&d, 0, subgroupMatrixScalarAdd(m, big), false, 4);
        subgroupMatrixStore(&d, 16, subgroupMatrixScalarSubtract(subgroupMatrixScalarAdd(m, big), big), false, 4);
        subgroupMatrixStore(&d, 32, subgroupMatrixScalarMultiply(m, -big), false, 4);
    }
}
