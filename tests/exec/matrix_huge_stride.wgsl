//! a       f32 8x8 iota 1
//! b       f32 8x8 marker
//! s       u32 1 values 2147483648
//! expect  b == values 1 2 3 4 5 6 7 8 0
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// Rows at multiples of 2^31 components: sums that 32 bits would wrap to the start.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@group(0) @binding(2) var<storage, read> stride: u32;

@compute @workgroup_size(32)
fn main() {
    let m = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 0u, false, stride);
    subgroupMatrixStore(&b, 0, m, false, 8);
}
