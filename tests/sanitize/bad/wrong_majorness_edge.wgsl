// A of 8 x 16 is taken as column-major: tiles of 16 x 8 leave it.
//! run --bind 0,0=random:f16:8x16:1 --bind 0,1=zeros:f16:8x16
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(32)
fn main() {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f16, 16, 8>>(&a, 0u, true, 16u); // <- S0104
    subgroupMatrixStore(&c, 0u, tile, false, 16u);
}
