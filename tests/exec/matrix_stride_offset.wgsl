//! subgroups 8 32
//! a       f32 200 iota
//! b       f32 100 marker
//! expect  b == values -777.25 -777.25 -777.25 5 6 7 8 -777.25 -777.25 24 25 26 27 -777.25 -777.25 43 44 45 46 -777.25 -777.25 62 63 64 65 -777.25 -777.25 81 82 83 84 -777.25 -777.25 100 101 102 103 -777.25 -777.25 119 120 121 122 -777.25 -777.25 138 139 140 141 -777.25
diagnostic(off, chromium.subgroup_matrix_uniformity);
enable chromium_experimental_subgroup_matrix;

// 8 rows of 4, odd strides (19 and 6) and offsets.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(subgroup_id) subgroup: u32) {
    let m = subgroupMatrixLoad<subgroup_matrix_result<f32, 4, 8>>(&a, 5i, false, 19i);
    if (subgroup == 0) {
        subgroupMatrixStore(&b, 3, m, false, 6);
    }
}
