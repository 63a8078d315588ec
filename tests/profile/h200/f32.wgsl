enable f16;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> r: array<f32>;
@compute @workgroup_size(32) fn main(@builtin(workgroup_id) w: vec3u) {
    let at = w.x * 256u;
    let x = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>>(&a, at, false, 16u);
    let y = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>>(&b, at, false, 16u);
    let z = subgroupMatrixLoad<subgroup_matrix_result<f32, 16, 16>>(&c, at, false, 16u);
    subgroupMatrixStore(&r, at, subgroupMatrixMultiplyAccumulate(x, y, z), false, 16u);
}
