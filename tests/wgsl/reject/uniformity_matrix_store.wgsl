//! error line 6 E0805
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    if i < 16 { subgroupMatrixStore(&f, 0, subgroup_matrix_result<f32, 8, 8>(), false, 8); }
}
