// The tile starts in the middle of 16 bytes.
//! run --bind 0,0=random:f32:8x16:1 --bind 0,1=zeros:f32:8x8
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main() {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 3u, false, 16u); // <- S0203
    subgroupMatrixStore(&c, 0u, tile, false, 8u);
}
