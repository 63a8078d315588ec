// Each invocation brings a bias of its own.
//! run --bind 0,0=iota:f32:32 --bind 0,1=zeros:f32:8x8
//! also S0901
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> bias: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    let tile = subgroup_matrix_result<f32, 8, 8>(bias[lane]); // <- S0404
    subgroupMatrixStore(&c, 0u, tile, false, 8u);
}
