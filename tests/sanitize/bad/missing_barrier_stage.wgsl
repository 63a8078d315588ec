// The block is staged and multiplied with no barrier between.
//! run --bind 0,0=random:f32:8x8:1 --bind 0,1=zeros:f32:8x8
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

var<workgroup> block: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
    block[lane] = a[lane];
    if (subgroup == 0u) {
        let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&block, 0u, false, 8u); // <- S0301
        let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&a, 0u, false, 8u);
        subgroupMatrixStore(&c, 0u, subgroupMatrixMultiply<f32>(left, right), false, 8u);
    }
}
