// An out-of-bounds tile starts again at element 0 with the least stride, as one widely used compiler has it.
//! run --bind 0,0=iota:f32:72 --bind 0,1=zeros:f32:8x8 --oob=restart --expect 0,1=iota:f32:64 --sanitize=bounds
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main() {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 16u, false, 8u); // <- S0104
    subgroupMatrixStore(&c, 0u, tile, false, 8u);
}
