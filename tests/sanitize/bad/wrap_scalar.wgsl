// 200 + 100 does not fit u8.
//! run --bind 0,0=values:u32:3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800,3368601800 --bind 0,1=zeros:u32:16
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(32)
fn main() {
    let tile = subgroupMatrixLoad<subgroup_matrix_left<u8, 8, 8>>(&a, 0u, false, 8u);
    let more = subgroupMatrixScalarAdd(tile, 100u); // <- S0701
    subgroupMatrixStore(&c, 0u, more, false, 8u);
}
