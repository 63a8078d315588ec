// C is 16 x 32, its stride is given as 16: tiles of several workgroups fall on the same elements.
//! run --bind 0,0=random:f32:16x32:1 --bind 0,1=zeros:f32:16x32 --dispatch 4,2
//! also S0801
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

const M = 16u;
const N = 32u;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    let row = group.y * 8u;
    let col = group.x * 8u;
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, row * N + col, false, N);
    subgroupMatrixStore(&c, row * M + col, tile, false, M); // <- S0303
}
