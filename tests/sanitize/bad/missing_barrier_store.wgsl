// The tile is stored by the subgroup and read by its invocations with no barrier between: which invocation holds what is
// not told, so even one subgroup needs one.
//! run --bind 0,0=random:f32:8x8:1 --bind 0,1=zeros:f32:64
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

var<workgroup> block: array<f32, 64>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, 0u, false, 8u);
    subgroupMatrixStore(&block, 0u, tile, false, 8u);
    c[lane] = block[lane]; // <- S0301
    c[lane + 32u] = block[lane + 32u]; // <- S0301
}
