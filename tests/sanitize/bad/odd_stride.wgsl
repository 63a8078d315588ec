// Rows in workgroup memory are padded by one element against bank conflicts: 66 bytes, which Vulkan does not take.
//! run --bind 0,0=random:f16:8x32:1 --bind 0,1=zeros:f16:8x8
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable subgroups;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read_write> c: array<f16>;

const STRIDE = 33u;
var<workgroup> rows: array<f16, 8 * STRIDE>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
    for (var r = 0u; r < 8u; r++) {
        rows[r * STRIDE + lane] = a[r * 32u + lane];
    }
    workgroupBarrier();
    let tile = subgroupMatrixLoad<subgroup_matrix_result<f16, 8, 8>>(&rows, 8u, false, STRIDE); // <- S0202
    subgroupMatrixStore(&c, 0u, tile, false, 8u);
}
