// Terms of 40000, -40000, 40000, -40000: fine one after the other, infinite when equal signs are added first.
//! run --bind 0,0=values:f16:200,200,200,200,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --bind 0,1=values:f16:200,0,0,0,0,0,0,0,-200,0,0,0,0,0,0,0,200,0,0,0,0,0,0,0,-200,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 --bind 0,2=zeros:f16:64
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(32)
fn main() {
    let left = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&a, 0u, false, 8u);
    let right = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 8>>(&b, 0u, false, 8u);
    var sum: subgroup_matrix_result<f16, 8, 8>;
    sum = subgroupMatrixMultiplyAccumulate(left, right, sum); // <- S0603
    subgroupMatrixStore(&c, 0u, sum, false, 8u);
}
