// One tile: a load that is inside for certain, one that is tested, a product, a store to workgroup memory.
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable chromium_experimental_subgroup_matrix;

alias Left = subgroup_matrix_left<f16, 8, 8>;
alias Right = subgroup_matrix_right<f16, 8, 8>;
alias Result = subgroup_matrix_result<f32, 8, 8>;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16, 256>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> stride: u32;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    var sum = Result();
    for (var k = 0u; k < 16; k += 8) {
        let left = subgroupMatrixLoad<Left>(&a, group.x * 8 * stride + k, false, stride);
        let right = subgroupMatrixLoad<Right>(&b, k * 16, true, 16);
        sum = subgroupMatrixMultiplyAccumulate(left, right, sum);
    }
    subgroupMatrixStore(&c, group.x * 64, sum, false, 8);
}
