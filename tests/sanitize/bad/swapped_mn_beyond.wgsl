// C is 24 x 8; its stride is given as the number of rows: the tiles of the last rows end behind it.
//! run --bind 0,0=random:f32:24x8:1 --bind 0,1=zeros:f32:24x8 --dispatch 3
//! find S0105
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

const M = 24u;
const N = 8u;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    let row = group.x * 8u;
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f32, 8, 8>>(&a, row * N, false, N);
    subgroupMatrixStore(&c, row * M, tile, false, M); // <- S0105
}
