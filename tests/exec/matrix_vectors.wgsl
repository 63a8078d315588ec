//! subgroups 16 32
//! a       f16 8x16 random 3
//! b       f16 8x16 marker
//! expect  b == a
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> a: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32) {
    if (subgroup == 0) {
        let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 8>, row_major>(&a, 0, 4);
        subgroupMatrixStore<row_major>(&b, 0, m, 4);
    }
}
