// The second barrier of the loop is missing: the next block overwrites what is still being multiplied.
//! run --bind 0,0=random:f32:8x32:1 --bind 0,1=random:f32:8x8:2 --bind 0,2=zeros:f32:8x8
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> block: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) subgroup: u32) {
    var sum: subgroup_matrix_result<f32, 8, 8>;
    for (var k = 0u; k < 32u; k += 8u) {
        block[lane] = a[lane / 8u * 32u + k + lane % 8u]; // <- S0301
        workgroupBarrier();
        let left = subgroupMatrixLoad<subgroup_matrix_left<f32, 8, 8>>(&block, 0u, false, 8u);
        let right = subgroupMatrixLoad<subgroup_matrix_right<f32, 8, 8>>(&b, 0u, false, 8u);
        sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
    }
    if (subgroup == 0u) {
        subgroupMatrixStore(&c, 0u, sum, false, 8u);
    }
}
