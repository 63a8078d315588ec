// A has 12 rows: the second tile of 8 ends behind it.
//! run --bind 0,0=iota:f32:12x8 --bind 0,1=zeros:f32:16x8
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main() {
    for (var row = 0u; row < 16u; row += 8u) {
        let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, row * 8u, false, 8u); // <- S0104
        subgroupMatrixStore(&c, row * 8u, tile, false, 8u);
    }
}
