// The stride comes from data, one number for each invocation.
//! run --bind 0,0=random:f32:32x32:1 --bind 0,1=zeros:f32:8x8 --bind 0,2=values:u32:8,8,8,8,8,8,8,8,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16,16
//! also S0901
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
@group(0) @binding(2) var<storage, read> strides: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    let stride = strides[lane];
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 0u, false, stride); // <- S0404
    subgroupMatrixStore(&c, 0u, tile, false, 8u);
}
