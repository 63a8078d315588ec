// Each subgroup has its own.
enable subgroups;
enable chromium_experimental_subgroup_matrix;
var<workgroup> wgf: array<f32, 256>;
alias M = subgroup_matrix_result<f32, 8, 8>;

@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) sid: u32) {
    if sid == 0 {
        var m: M;
        m = M(2.0);
        subgroupMatrixStore(&wgf, sid * 64, m, false, 8);
    }
}
