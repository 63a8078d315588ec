//! subgroups 16 32 64
//! refused  32 "multiple"
//! refused  64 "multiple"
//! d       f32 8x8 marker
//! expect  d == values 0
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(48)
fn main() {
    subgroupMatrixStore(&d, 0, subgroup_matrix_result<f32, 8, 8>(), false, 8);
}
