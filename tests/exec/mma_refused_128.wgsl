//! subgroups 64 128
//! refused  128 "cannot share"
//! d       f32 8x8 marker
//! expect  d == values 2.5
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(128)
fn main() {
    subgroupMatrixStore(&d, 0, subgroup_matrix_left<f32, 8, 8>(2.5), false, 8);
}
