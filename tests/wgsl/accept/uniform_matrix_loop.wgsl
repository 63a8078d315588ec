// The usual loop.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
@group(0) @binding(2) var<uniform> uni: u32;
var<workgroup> wgf: array<f32, 256>;
@group(0) @binding(5) var<storage, read> rof: array<f32>;
alias L = subgroup_matrix_left<f32, 8, 8>;
alias R = subgroup_matrix_right<f32, 8, 8>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) wid: vec3u) {
    var acc: M;
    for (var k = 0u; k < uni; k += 8) {
        let l = subgroupMatrixLoad<L>(&rof, wid.x * 8 * uni + k, false, uni);
        let r = subgroupMatrixLoad<R>(&rof, k * 64, false, 64);
        acc = subgroupMatrixMultiplyAccumulate(l, r, acc);
    }
    subgroupMatrixStore(&wgf, 0, acc, false, 8);
}
