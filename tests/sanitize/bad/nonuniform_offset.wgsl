// The offset depends on the invocation.
//! run --bind 0,0=random:f32:32x8:1 --bind 0,1=zeros:f32:8x8
//! also S0901
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, lane / 8u * 64u, false, 8u); // <- S0404
    if (lane < 32u) {
        subgroupMatrixStore(&c, 0u, tile, false, 8u);
    }
}
