// Scalars with 8-bit, 32-bit and f16 matrices: clamped to the range of the component, wrapping.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> d: array<i32>;
@group(0) @binding(2) var<storage, read_write> u: array<u32>;
@group(0) @binding(3) var<storage, read_write> h: array<f16>;
@compute @workgroup_size(16)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 8>>(&a, 0, false, 8);
        let big = 1000i;
        subgroupMatrixStore(&d, 0, subgroupMatrixScalarAdd(m, big), false, 8);
        subgroupMatrixStore(&d, 64, subgroupMatrixScalarSubtract(subgroupMatrixScalarAdd(m, big), big), false, 8);
        subgroupMatrixStore(&d, 128, subgroupMatrixScalarMultiply(m, -big), false, 8);
        subgroupMatrixStore(&d, 192, subgroup_matrix_left<i8, 8, 8>(a[0] - 128), false, 8);
        let r = subgroup_matrix_result<u32, 8, 8>(u32(a[1]));
        subgroupMatrixStore(&u, 0, subgroupMatrixScalarMultiply(subgroupMatrixScalarAdd(r, 3u), 5u), false, 8);
        subgroupMatrixStore(&u, 64, subgroup_matrix_result<u32, 8, 8>(), true, 8);
        let f = subgroup_matrix_result<f16, 8, 8>(f16(a[1]));
        subgroupMatrixStore(&h, 8, subgroupMatrixScalarMultiply(subgroupMatrixScalarSubtract(f, 3h), 0.5h), false, 8);
    }
}
