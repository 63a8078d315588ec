// Memory that others write may be loaded from.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
var<workgroup> wgf: array<f32, 256>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(subgroup_id) sid: u32) {
    wgf[lid] = 1;
    workgroupBarrier();
    let m = subgroupMatrixLoad<M>(&wgf, 64 * sid, false, 8);
    subgroupMatrixStore(&wgf, 64 * sid, m, true, 8);
}
