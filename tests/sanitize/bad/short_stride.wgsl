// The stride counts rows where it should count columns: rows of the tile overlap in memory.
//! run --bind 0,0=random:f16:16x16:1 --bind 0,1=zeros:f16:16x16
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(32)
fn main() {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f16, 16, 16>>(&a, 0u, false, 8u); // <- S0201
    subgroupMatrixStore(&c, 0u, tile, false, 16u);
}
