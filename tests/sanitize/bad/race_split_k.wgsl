// Each workgroup adds its part of K to C; nothing orders them.
//! run --bind 0,0=random:f32:8x16:1 --bind 0,1=random:f32:16x8:2 --bind 0,2=zeros:f32:8x8 --dispatch 2
//! also S0801
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    let k = group.x * 8u;
    let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&a, k, false, 16u);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&b, k * 8u, false, 8u);
    var sum = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&c, 0u, false, 8u);
    sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
    subgroupMatrixStore(&c, 0u, sum, false, 8u); // <- S0303
}
