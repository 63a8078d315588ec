// The number of the subgroup is worked out from 32 invocations: with 16, two subgroups take each tile and half of the
// tiles nobody.
//! run --bind 0,0=random:f32:16x8:1 --bind 0,1=zeros:f32:32x8
//! find S0901
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    let tile = lane / 32u;
    let left = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, tile * 64u, false, 8u);
    subgroupMatrixStore(&c, tile * 64u, left, false, 8u);
}
