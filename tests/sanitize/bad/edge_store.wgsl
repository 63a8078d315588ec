// C is 8 x 12 and gets two tiles side by side: the last row of the second one ends behind it.
//! run --bind 0,0=iota:f32:8x16 --bind 0,1=zeros:f32:8x12
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main() {
    for (var col = 0u; col < 16u; col += 8u) {
        let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, col, false, 16u);
        subgroupMatrixStore(&c, col, tile, false, 12u); // <- S0105
    }
}
