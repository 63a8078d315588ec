// B is row-major and loaded column-major: inside, and wrong. Found by turning each access round.
//! run --bind 0,0=iota:f32:8x8 --bind 0,1=values:f32:0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,2,0,0,0,0,0,0,0 --bind 0,2=zeros:f32:8x8 --expect 0,2=values:f32:14,0,1,2,3,4,5,6,30,8,9,10,11,12,13,14,46,16,17,18,19,20,21,22,62,24,25,26,27,28,29,30,78,32,33,34,35,36,37,38,94,40,41,42,43,44,45,46,110,48,49,50,51,52,53,54,126,56,57,58,59,60,61,62
//! find S1001
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(32)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&a, 0u, false, 8u);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&b, 0u, true, 8u); // <- S1002
    let zero = subgroup_matrix_result<f32, 8, 8>();
    subgroupMatrixStore(&c, 0u, subgroupMatrixMultiplyAccumulate(left, right, zero), false, 8u);
}
