// The sum starts near the end of i32.
//! run --bind 0,0=values:i32:2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143,2139062143 --bind 0,1=zeros:i32:64
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> c: array<i32>;

@compute @workgroup_size(32)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 8>>(&a, 0u, false, 8u);
    let right = subgroupMatrixLoad<subgroup_matrix_right<i8, 8, 8>>(&a, 0u, false, 8u);
    var sum = subgroup_matrix_result<i32, 8, 8>(2147483000);
    sum = subgroupMatrixMultiplyAccumulate(left, right, sum); // <- S0701
    subgroupMatrixStore(&c, 0u, sum, false, 8u);
}
