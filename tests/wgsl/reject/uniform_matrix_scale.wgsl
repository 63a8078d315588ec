//! error line 10 E0806 "the argument `value` of `subgroupMatrixScalarMultiply` must be uniform"
// A scalar for the whole matrix.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main() {
    _ = subgroupMatrixScalarMultiply(M(), f32(rw[0]));
}
